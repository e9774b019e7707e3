-- SPDX-License-Identifier: Apache-2.0
-- Two launches, their kernel and copy, a memset, a synchronization, GPU metrics: the smallest of each.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'cudaMemcpy'), (3, 'void scale<float>(float*, int)'), (4, 'scale');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId, returnValue);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 120, 0, 281474976710657, 7, 1, 0), (130, 900, 0, 281474976710657, 8, 2, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid,
  demangledName, shortName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, graphNodeId);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 300, 0, 1, 7, 7, 281474976710656, 3, 4, 1, 1, 1, 256, 1, 1, 18, NULL),
  (250, 350, 0, 1, 7, 9, 281474976710656, 3, 4, 1, 1, 1, 256, 1, 1, 18, 5), (0, 0, 0, 1, 7, 9, 281474976710656, 3, 4, 1, 1, 1, 1, 1, 1, 1, 5);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, globalPid, bytes, copyKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (400, 800, 0, 1, 7, 8, 281474976710656, 4096, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid, value, bytes);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (820, 830, 0, 1, 13, 10, 281474976710656, 0, 64);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, eventId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (140, 890, 0, 1, 7, 8, 281474976710656, 3, 0);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, sourceId, typeName, metricId, metricName);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (72057594037927936, 1, 'GPU', 0, 'SMs Active [Throughput %]');
CREATE TABLE GPU_METRICS (rawTimestamp, timestamp, typeId, metricId, value);
INSERT INTO GPU_METRICS VALUES (0, 100, 72057594037927936, 0, 10), (0, 200, 72057594037927936, 0, 90);

-- SPDX-License-Identifier: Apache-2.0
-- A call, its kernel on a named stream, a copy, a memset, markers (a pair, an instant, one left open), unified memory,
-- overhead, bad times.
PRAGMA page_size = 512;
CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringTable VALUES (1, '_Z4gemmPfi'), (2, 'step'), (3, 'app'), (4, 'a.cpp'), (5, 'Tesla'), (6, CAST(x'ff6e' AS TEXT));
CREATE TABLE Version (version INT);
INSERT INTO Version VALUES (11);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, processId INT, threadId INT, correlationId INT, returnValue INT);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 211, 100, 120, 9, 4294967040, 7, 0), (2, 31, 130, 900, 9, 4294967040, 8, 1), (3, 0, 0, 0, 9, 1, 7, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, processId INT, threadId INT, correlationId INT, returnValue INT);
INSERT INTO CUPTI_ACTIVITY_KIND_DRIVER VALUES (1, 307, 101, 119, 9, 4294967040, 7, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (_id_ INTEGER PRIMARY KEY, registersPerThread INT, start INT, end INT, completed INT, deviceId INT, contextId INT, streamId INT,
  gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT, localMemoryPerThread INT, localMemoryTotal INT, correlationId INT, gridId INT, name INT);
INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (1, 18, 200, 300, 0, 0, 1, 7, 1, 1, 1, 256, 1, 1, 0, 0, 0, 0, 7, 1, 1), (2, 18, 250, 50, 0, 0, 1, 13, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 9, 2, 6);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (_id_ INTEGER PRIMARY KEY, copyKind INT, srcKind INT, dstKind INT, flags INT, bytes INT, start INT, end INT, deviceId INT, contextId INT, streamId INT, correlationId INT, runtimeCorrelationId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 1, 1, 3, 0, 4096, 400, 800, 0, 1, 7, 8, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (_id_ INTEGER PRIMARY KEY, value INT, bytes INT, start INT, end INT, deviceId INT, contextId INT, streamId INT, correlationId INT, runtimeCorrelationId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, 0, 64, 820, 830, 0, 1, 7, 10, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER (_id_ INTEGER PRIMARY KEY, flags INT, timestamp INT, id INT, objectKind INT, objectId BLOB, name INT, domain INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (1, 2, 90, 1, 2, x'0900000000FFFFFF', 2, 0), (2, 4, 910, 1, 2, x'0900000000FFFFFF', 0, 0),
  (3, 1, 500, 2, 2, x'0900000000FFFFFF', 2, 3), (4, 2, 600, 3, 1, x'09000000', 2, 0), (5, 4, 650, 8, 1, x'', 0, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER_DATA (_id_ INTEGER PRIMARY KEY, flags INT, id INT, payloadKind INT, payload BLOB, color INT, category INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MARKER_DATA VALUES (1, 5, 1, 1, x'05', -16711936, 4);
CREATE TABLE CUPTI_ACTIVITY_KIND_NAME (_id_ INTEGER PRIMARY KEY, objectKind INT, objectId BLOB, name INT);
INSERT INTO CUPTI_ACTIVITY_KIND_NAME VALUES (1, 1, x'09000000', 3), (2, 2, x'0900000000FFFFFF', 3), (3, 5, x'000000000100000007000000', 3);
CREATE TABLE CUPTI_ACTIVITY_KIND_DEVICE (_id_ INTEGER PRIMARY KEY, globalMemorySize INT, numMultiprocessors INT, computeCapabilityMajor INT, computeCapabilityMinor INT, id INT, name INT);
INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE VALUES (1, 1024, 2, 7, 0, 0, 5);
CREATE TABLE CUPTI_ACTIVITY_KIND_CONTEXT (_id_ INTEGER PRIMARY KEY, contextId INT, deviceId INT, computeApiKind INT, nullStreamId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_CONTEXT VALUES (1, 1, 0, 1, 7);
CREATE TABLE CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER (_id_ INTEGER PRIMARY KEY, counterKind INT, value INT, start INT, end INT, address INT, srcId INT, dstId INT, streamId INT, processId INT, flags INT);
INSERT INTO CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER VALUES (1, 1, 4096, 300, 310, 5, 0, 0, 0, 9, 0), (2, 4, 3, 310, 320, 5, 0, 0, 0, 9, 0), (3, 3, 1, 320, 320, 5, 0, 0, 0, 9, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (_id_ INTEGER PRIMARY KEY, overheadKind INT, objectKind INT, objectId BLOB, start INT, end INT);
INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (1, 65536, 2, x'0900000000FFFFFF', 10, 20);
CREATE TABLE CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR (_id_ INTEGER PRIMARY KEY, id INT, lineNumber INT, fileName INT);
INSERT INTO CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR VALUES (1, 1, 10, 4);

-- SPDX-License-Identifier: Apache-2.0
PRAGMA page_size = 512;
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag, value);
INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2');
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string);
INSERT INTO rocpd_string VALUES (1, ''), (2, 'hipLaunchKernel'), (3, 'gemm'), (4, 'KernelExecution'), (5, 'CopyHostToDevice'), (6, 'UserMarker'), (7, CAST(x'ff6e' AS TEXT));
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id);
INSERT INTO rocpd_api VALUES (1, 9, 10, 100, 120, 2, 1), (2, 9, 10, 130, 140, 2, 1), (3, 9, 10, 90, 150, 6, 3), (4, 9, -1, 9, 5, 77, 77);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, completionSignal, start, end, description_id, opType_id);
INSERT INTO rocpd_op VALUES (1, 0, 1, 0, '', 200, 300, 3, 4), (2, 0, 1, 0, '', 310, 330, 1, 5), (3, 9, 1, 0, '', 0, 0, 77, 77);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id, op_id);
INSERT INTO rocpd_api_ops VALUES (1, 1, 1), (2, 2, 2), (3, 8, 9);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize, kernelName_id);
INSERT INTO rocpd_kernelapi VALUES (1, '0x0', 1, 1, 1, 64, 1, 1, 0, 0, 3);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, stream, size, width, height, kind, dst, src, dstDevice, srcDevice, sync, pinned);
INSERT INTO rocpd_copyapi VALUES (2, '0x0', 4096, 0, 0, 1, '0x5', '0x6', 0, -1, 1, 0);
CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, deviceType, deviceId, monitorType, start, end, value);
INSERT INTO rocpd_monitor VALUES (1, 'gpu', 0, 'sclk', 100, 200, '1500'), (2, 'gpu', 0, 'sclk', 200, 300, 'x');

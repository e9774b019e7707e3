-- SPDX-License-Identifier: Apache-2.0
-- Columns of both families of tools that write such tables.
PRAGMA page_size = 512;
CREATE TABLE HIP (BeginNs, EndNs, pid, tid, Name, args, "Index", Data, DurationNs);
INSERT INTO HIP VALUES (100, 120, 9, 10, 'hipLaunchKernel', 'x', 1, '', 20), (130, 140, 9, 10, 'hipMemcpy', '', 2, '', 10), (9, 5, 9, 10, 5, '', 3, '', -4);
CREATE TABLE OPS (BeginNs, EndNs, "dev-id", "queue-id", Name, pid, tid, "roctx-range", "stream-id", "Index", Data, DurationNs);
INSERT INTO OPS VALUES (200, 300, 0, 1, 'gemm', 9, 10, '', 1, 1, '', 100), (0, 0, 'x', NULL, CAST(x'ff6e' AS TEXT), 9, 10, '', 1, 7, '', 0);
CREATE TABLE COPY (BeginNs, EndNs, "dev-id", "queue-id", Name, pid, tid, "roctx-range", "stream-id", "Index", Data, DurationNs);
INSERT INTO COPY VALUES (310, 330, 0, 1, 'CopyHostToDevice', 9, 10, '', 1, 2, '4096', 20);
CREATE TABLE KERN ("Index", KernelName);
INSERT INTO KERN VALUES (1, 'gemm');

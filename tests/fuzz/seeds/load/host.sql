-- SPDX-License-Identifier: Apache-2.0
-- NVTX nested, crossing threads, marked and never ended; OS runtime; scheduler; bad times; text that is not UTF-8.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1, 'poll'), (2, 'worker'), (3, CAST(x'ff6e616d65' AS TEXT));
CREATE TABLE NVTX_EVENTS (start, end, eventType, rangeId, category, color, text, globalTid, endGlobalTid, textId, domainId);
INSERT INTO NVTX_EVENTS VALUES (100, 900, 59, NULL, NULL, 4278255360, 'step', 281474976710657, NULL, NULL, 0),
  (200, 300, 59, NULL, NULL, NULL, NULL, 281474976710657, NULL, 3, 0),
  (250, 700, 60, 1, NULL, NULL, 'request', 281474976710657, 281474976710658, NULL, 1),
  (800, NULL, 59, NULL, NULL, NULL, 'open', 281474976710658, NULL, NULL, 0),
  (300, NULL, 34, NULL, NULL, NULL, 'mark', 281474976710658, NULL, NULL, 0),
  (10, NULL, 75, NULL, NULL, NULL, 'domain', 281474976710657, NULL, NULL, 1),
  (900, 100, 59, NULL, NULL, NULL, 'backwards', 281474976710658, NULL, NULL, 0),
  (-9223372036854775808, 5, 59, NULL, NULL, NULL, 'minimum', 281474976710658, NULL, NULL, 0);
CREATE TABLE OSRT_API (start, end, eventClass, globalTid, correlationId, nameId, returnValue, nestingLevel);
INSERT INTO OSRT_API VALUES (150, 180, 27, 281474976710658, 1, 1, 0, 0), (150, 150, 27, 281474976710658, 2, 1, 0, 1);
CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);
INSERT INTO SCHED_EVENTS VALUES (100, 3, 1, 281474976710657), (400, 3, 0, 281474976710657), (400, 3, 1, 281474976710658);
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES (2, NULL, 281474976710658);
CREATE TABLE PROCESSES (globalPid, pid, name);
INSERT INTO PROCESSES VALUES (281474976710656, 0, 'program');

-- SPDX-License-Identifier: Apache-2.0
-- Not an input but what inputs are read by: domain 1, schema 9 has every type of a number, an enumeration, offsets before
-- and behind what there is, an array.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId, schemaId, idx, flags, type, name, description, arrayOrUnionDetail, offset);
WITH RECURSIVE types(type) AS (SELECT 2 UNION ALL SELECT type + 1 FROM types WHERE type < 24)
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES SELECT 1, 9, type, NULL, type, 'type ' || type, NULL, NULL, 8 * (type - 2) FROM types;
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, 9, 30, NULL, 77, 'operation', NULL, NULL, 4),
  (1, 9, 31, 2, 5, 'array', NULL, 3, 0), (1, 9, 32, NULL, 5, CAST(x'62ff64' AS TEXT), NULL, NULL, -4),
  (1, 9, 33, NULL, 8, 'far', NULL, NULL, 9223372036854775807), (1, 9, 34, NULL, 78, 'odd size', NULL, NULL, 1);
CREATE TABLE NVTX_PAYLOAD_ENUMS (domainId, schemaId, name, numEntries, size);
INSERT INTO NVTX_PAYLOAD_ENUMS VALUES (1, 77, NULL, 2, 4), (1, 78, NULL, 1, 3);
CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES (domainId, schemaId, idx, name, value, isFlag);
INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES (1, 77, 0, 'Sum', NULL, NULL), (1, 77, 1, 'Max', 2, NULL);

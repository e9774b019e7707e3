// SPDX-License-Identifier: Apache-2.0
#include "model/report/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/report/secrets.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

TEST(Secrets, NamesThatSaySoAreSecretWhateverTheirCase) {
  for (const char* name :
       {"HF_TOKEN", "aws_secret_access_key", "MyPassword", "GOOGLE_APPLICATION_CREDENTIALS", "API-Key"})
    EXPECT_TRUE(namesSecret(name)) << name;
  for (const char* name : {"PATH", "RANK", "CUDA_VISIBLE_DEVICES", "PWD", ""}) EXPECT_FALSE(namesSecret(name)) << name;
}

TEST(Secrets, OnlyTheValueIsMasked) {
  EXPECT_EQ(withoutSecrets("HF_TOKEN", "hf_abc"), "••••");
  EXPECT_EQ(withoutSecrets("HF_TOKEN", ""), "");
  EXPECT_EQ(withoutSecrets("PATH", "/bin:/usr/bin"), "/bin:/usr/bin");
  EXPECT_EQ(withoutSecrets("Program", "train --api-key=abc --lr=1 --token abc d"),
            "train --api-key=•••• --lr=1 --token •••• d");
  EXPECT_EQ(withoutSecrets("HTTP_PROXY", "http://me:abc@proxy:80/x"), "http://me:••••@proxy:80/x");
  EXPECT_EQ(withoutSecrets("URL", "http://proxy:80/a@b"), "http://proxy:80/a@b");
}

class Summary : public testing::Test {
 protected:
  std::string value(std::string_view part, std::string_view what) {
    const auto found =
        std::ranges::find_if(lines, [&](const SummaryLine& line) { return line.part == part && line.what == what; });
    return found == lines.end() ? std::string() : found->value;
  }
  void read() { lines = summary(Database::open(builder.write()).value()); }

  test::TemporaryFolder folder;
  test::ReportBuilder builder{folder / "a.sqlite"};
  std::vector<SummaryLine> lines;
};

TEST_F(Summary, TellsTimeZeroGpusMachineAndOptions) {
  builder.add(test::K{.start = 1, .end = 2});
  builder.insert("META_DATA_CAPTURE", {{"name", std::string("COLLECT_CUDA_TRACE")}, {"value", std::string("true")}});
  builder.sql(
      "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT);"
      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1795813241760718572, '2026-11-27T21:00:41');"
      "CREATE TABLE TARGET_INFO_GPU (name TEXT, totalMemory INTEGER, uuid TEXT);"
      "INSERT INTO TARGET_INFO_GPU VALUES ('H100', 80000000000, NULL);"
      "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
      "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('NvDriverVersion', '580.1');");
  read();
  EXPECT_EQ(value("Run", "Time 0 in UTC"), "2026-11-27T21:00:41");
  EXPECT_EQ(value("Run", "Time 0, ns since 1970"), "1795813241760718572");
  EXPECT_EQ(value("GPU 0", "name"), "H100");
  EXPECT_EQ(value("GPU 0", "totalMemory"), "80.0 GB");
  EXPECT_EQ(value("GPU 0", "uuid"), "");
  EXPECT_EQ(value("Machine", "NvDriverVersion"), "580.1");
  EXPECT_EQ(value("Options", "COLLECT_CUDA_TRACE"), "true");
}

TEST_F(Summary, NoSecretOfAForeignEnvironmentIsShown) {
  builder.add(test::K{.start = 1, .end = 2});
  for (const char* variable : {"HF_TOKEN=hf_abc", "RANK=3", "PLAIN"})
    builder.insert("META_DATA_CAPTURE",
                   {{"name", std::string("PROCESS_0:ENVIRONMENT_VARIABLE")}, {"value", std::string(variable)}});
  builder.sql(
      "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
      "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', 'HF_TOKEN hf_abc');");
  read();
  EXPECT_EQ(value("Environment", "HF_TOKEN"), "••••");
  EXPECT_EQ(value("Environment", "RANK"), "3");
  for (const SummaryLine& line : lines) EXPECT_EQ(line.value.find("hf_abc"), std::string::npos) << line.what;
}

}  // namespace
}  // namespace lanescope::report

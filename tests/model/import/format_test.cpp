// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "tests/support/database_builder.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;
namespace fs = std::filesystem;

class FormatTest : public testing::Test {
 protected:
  fs::path file(std::string_view content, std::string_view name = "file") {
    test::writeFile(folder_ / name, content);
    return folder_ / name;
  }
  std::string refusal(const fs::path& path) {
    const Result<Format> format = formatOf(path);
    return format ? "format " + std::to_string(static_cast<int>(*format)) : sentence(format.error());
  }
  std::string refusalOf(std::string_view content) { return refusal(file(content)); }

  test::TemporaryFolder folder_;
};

TEST_F(FormatTest, TextThatBeginsLikeJsonIsAChromeTraceWhateverItIsCalled) {
  for (const std::string_view text : {"[]"sv, "{\"traceEvents\": []}"sv, "\xEF\xBB\xBF [{"sv, "\r\n\t {"sv,
                                      "// made by hand\n[{"sv, "/* a\n*/ /**/{"sv}) {
    const auto format = formatOf(file(text, "a.sqlite"));
    ASSERT_TRUE(format) << text << sentence(format.error());
    EXPECT_EQ(*format, Format::kChrome);
  }
}

TEST_F(FormatTest, PackedFilesMayHoldChromeTraces) {
  for (const std::string_view head :
       {"\x1f\x8b\x08"sv, "PK\x03\x04"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ\0"sv, "BZh9"sv}) {
    const auto format = formatOf(file(head));
    ASSERT_TRUE(format) << sentence(format.error());
    EXPECT_EQ(*format, Format::kChrome);
  }
  const auto tar = formatOf(file(std::string(257, 'x') + "ustar" + std::string(250, '\0')));
  ASSERT_TRUE(tar) << sentence(tar.error());
  EXPECT_EQ(*tar, Format::kChrome);
}

TEST_F(FormatTest, WhatIsSomethingElseSaysWhatAndWhatToDo) {
  EXPECT_THAT(refusalOf("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("Git LFS pointer"));
  EXPECT_THAT(refusalOf("\n<!DOCTYPE HTML><html>"), HasSubstr("is a web page"));
  EXPECT_THAT(refusalOf("<html lang=en>"), HasSubstr("is a web page"));
  EXPECT_THAT(refusalOf("<?xml version=\"1.0\"?>\n<session version=\"2\">"), HasSubstr("session of nvvp"));
  EXPECT_THAT(refusalOf("<?xml version=\"1.0\"?>\n<svg>"), HasSubstr("is XML"));
  EXPECT_THAT(refusalOf("\x00\x05\x16\x07\x00\x02"sv), HasSubstr("macOS"));
  EXPECT_THAT(refusalOf("HPCTOOLKITprof\x04"), HasSubstr("hpcviewer"));
  EXPECT_THAT(refusalOf("# tracer: nop\n#\n"), HasSubstr("ftrace"));
  for (const std::string_view head : {"tr\xFDP\x01"sv, "tlZ\x04"sv, "tZst"sv})
    EXPECT_THAT(refusalOf(head), HasSubstr("Tracy"));
  EXPECT_THAT(refusalOf("hello"), HasSubstr("is neither a .rep nor"));
  EXPECT_THAT(refusalOf(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal(folder_ / "none"), HasSubstr("no such file"));
}

TEST_F(FormatTest, ReportsOfNsightSystemsNameTheirVersion) {
  EXPECT_THAT(refusalOf("NVIDIA Tegra Profiler Report 2024@6@2@225-24623524v0.\n"),
              HasSubstr("(.nsys-rep of version 2024.6.2.225)"));
  EXPECT_THAT(refusal(file("NVIDIA Tegra Profiler Report 1.\n", "a.qdrep")), HasSubstr("(.qdrep of version 1)"));
}

TEST_F(FormatTest, ProtobufIsToldFromTextAndByItsKind) {
  const std::string perfetto = refusalOf("\x0a\x04\x40\xc0\x84\x3d\x0a\x04\x40\x80\x89\x7a");
  EXPECT_THAT(perfetto, HasSubstr("Perfetto"));
  EXPECT_THAT(perfetto,
              HasSubstr("traceconv json " + (folder_ / "file").string() + " " + (folder_ / "file").string() + ".json"));
  EXPECT_THAT(refusalOf("\x0a\x0d\x08\x01\x12\x09/host:CPU\x0a\x00"sv), HasSubstr("XPlane"));
  EXPECT_THAT(refusalOf("\nhello\n"), HasSubstr("is neither a .rep nor"));
  EXPECT_THAT(refusalOf("\x0a\x02\x07\x07"), HasSubstr("is neither a .rep nor"));
}

TEST_F(FormatTest, DatabasesAreToldByTheirTables) {
  const auto made = [&](const char* sql) { return test::DatabaseBuilder(folder_ / "db").sql(sql).write(); };
  const auto is = [&](const char* sql) { return formatOf(made(sql)).value(); };
  EXPECT_EQ(is("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT)"), Format::kReport);
  EXPECT_EQ(is("CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT)"), Format::kNvprof);
  EXPECT_EQ(is("CREATE TABLE rocpd_info_node_0123(id INTEGER)"), Format::kRocpd);
  EXPECT_EQ(is("CREATE TABLE rocpd_string(id); CREATE TABLE rocpd_api(id); CREATE TABLE rocpd_op(id)"), Format::kRpd);
  EXPECT_EQ(is("CREATE TABLE HIP(BeginNs, EndNs)"), Format::kHipprof);
  EXPECT_THAT(refusal(made("CREATE TABLE read_only_kernels(id); CREATE TABLE read_only_model_info(id)")),
              HasSubstr("DLProf"));
  EXPECT_THAT(refusal(made("CREATE TABLE profCall(id); CREATE TABLE profStringTable(id)")), HasSubstr("PGI"));
  EXPECT_THAT(refusal(made("CREATE TABLE test(id)")), HasSubstr("is an SQLite database, but not a report"));
}

TEST(StrangersFiles, OfOtherKindsAreRefusedInOneLineEach) {
  LANESCOPE_NEEDS_SHARED();
  const fs::path traces = test::sharedFolder() / "traces";
  std::vector<fs::path> files = test::filesIn(traces / "bad");
  files.push_back(traces / "nvprof/O-P12__profile.nvvp");
  files.push_back(traces / "nvprof/O-P13__output.nvvp");
  EXPECT_GE(files.size(), 12u);
  for (const fs::path& path : files) {
    if (path.filename().string().starts_with("O-X08")) continue;  // JSON, told when it is parsed
    const Result<Format> format = formatOf(path);
    ASSERT_FALSE(format) << path;
    EXPECT_EQ(exitStatus(format.error()), 2);
    const std::string line = sentence(format.error());
    EXPECT_THAT(line, testing::StartsWith(path.string() + ": is ")) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_NE(line.find("; ", path.string().size()), std::string::npos) << line;
    EXPECT_THAT(line, testing::Not(HasSubstr("is neither"))) << line;
  }
}

}  // namespace
}  // namespace lanescope::imported

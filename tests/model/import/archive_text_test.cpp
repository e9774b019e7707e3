// SPDX-License-Identifier: Apache-2.0
#include "model/import/archive_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>

#include "tests/model/import/json_reading.h"

namespace lanescope::imported {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::vector<std::pair<std::string, std::string>>;
using Choose = int (*)(archive*);

int noFilter(archive* a) { return archive_write_add_filter_none(a); }

/// Files packed by libarchive, in memory.
std::string packed(const Files& files, Choose format, Choose filter = noFilter) {
  std::size_t room = 1 << 20;
  for (const auto& [name, text] : files) room += 2 * text.size();
  std::string out(room, '\0');
  std::size_t used = 0;
  archive* const a = archive_write_new();
  format(a);
  filter(a);
  archive_write_set_bytes_in_last_block(a, 1);
  EXPECT_EQ(archive_write_open_memory(a, out.data(), out.size(), &used), ARCHIVE_OK);
  for (const auto& [name, text] : files) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    EXPECT_EQ(archive_write_header(a, entry), ARCHIVE_OK) << archive_error_string(a);
    archive_write_data(a, text.data(), text.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
  out.resize(used);
  return out;
}

std::string gzip(const std::string& text) {
  return packed({{"x", text}}, archive_write_set_format_raw, archive_write_add_filter_gzip);
}

std::string entryOf(const std::string& name) { return R"({"ph":"X","name":")" + name + R"(","ts":1})"; }
std::string traceOf(const std::string& name) {
  return R"({"rank":")" + name + R"(","traceEvents":[)" + entryOf(name) + "]}";
}

/// Entries that do not pack well, so that what is packed has some length.
std::string longTrace(int entries) {
  std::string text = "[";
  for (unsigned i = 0, random = 1; i < static_cast<unsigned>(entries); ++i) {
    random = random * 1664525 + 1013904223;
    text += (i == 0 ? "" : ",\n") + entryOf(std::to_string(random));
  }
  return text + "]";
}

TEST(ArchiveText, GzipOfSeveralMembersIsReadWhole) {  // IMP-22
  const std::string text = longTrace(5000), first = text.substr(0, text.size() / 2),
                    second = text.substr(text.size() / 2);
  const std::string expected = readJsonText(text).names();
  const JsonReading read = readJsonText(gzip(first) + gzip(second));
  EXPECT_EQ(read.names(), expected);
  EXPECT_THAT(read.issues, IsEmpty());
  EXPECT_THAT(read.documents, SizeIs(1));
  EXPECT_EQ(readJsonText(gzip(first) + gzip("") + gzip(second) + std::string(512, '\0')).names(), expected);
}

TEST(ArchiveText, GzipThatWasCutOffGivesAllThatIsSound) {  // IMP-22
  const std::string text = longTrace(5000), whole = gzip(text.substr(0, 1000)) + gzip(text.substr(1000));
  const JsonReading read = readJsonText(whole.substr(0, whole.size() - 10));
  EXPECT_GE(read.events.size(), 4999u);
  EXPECT_THAT(read.damage(), testing::Contains("import-packed-damaged 1"));
  // Much of the last block of libarchive would be lost.
  const JsonReading half = readJsonText(whole.substr(0, whole.size() / 2));
  EXPECT_THAT(half.events.size(), testing::AllOf(testing::Gt(2300u), testing::Lt(2700u)));
  EXPECT_THAT(half.damage(), ElementsAre("import-cut-off 1", "import-packed-damaged 1"));
}

TEST(ArchiveText, DamageInsideIsToldAndWhatCameBeforeIsRead) {
  std::string bytes = gzip(longTrace(5000));
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 100; ++i) bytes[i] = '\x55';
  const JsonReading read = readJsonText(bytes);
  EXPECT_GT(read.events.size(), 1000u);
  EXPECT_THAT(read.damage(), testing::Contains("import-packed-damaged 1"));
  EXPECT_THAT(readJsonText(gzip(traceOf("a")) + "more").damage(), ElementsAre("import-packed-damaged 1"));
  const JsonReading nothing = readJsonText(bytes.substr(0, 12));
  ASSERT_TRUE(nothing.error);
  EXPECT_EQ(nothing.error->code, ErrorCode::kDamaged);
}

TEST(ArchiveText, EveryPackingIsToldByItsContent) {
  const Files file = {{"a.json", traceOf("a")}};
  const Choose raw = archive_write_set_format_raw, tar = archive_write_set_format_pax_restricted,
               zip = archive_write_set_format_zip;
  for (const std::string& bytes :
       {packed(file, raw, archive_write_add_filter_gzip), packed(file, raw, archive_write_add_filter_zstd),
        packed(file, raw, archive_write_add_filter_xz), packed(file, raw, archive_write_add_filter_bzip2),
        packed(file, raw, archive_write_add_filter_lz4), packed(file, zip), packed(file, archive_write_set_format_7zip),
        packed(file, tar), packed(file, tar, archive_write_add_filter_gzip),
        packed(file, tar, archive_write_add_filter_zstd), packed(file, tar, archive_write_add_filter_xz),
        packed({{"a.json.gz", gzip(traceOf("a"))}}, tar, archive_write_add_filter_gzip),
        packed({{"a.json.gz", gzip(traceOf("a"))}}, zip), gzip(gzip(traceOf("a")))}) {
    const JsonReading read = readJsonText(bytes);
    EXPECT_EQ(read.names(), "a");
    EXPECT_THAT(read.issues, IsEmpty());
    EXPECT_FALSE(read.error) << sentence(*read.error);
  }
}

TEST(ArchiveText, EachFileOfAnArchiveIsADocument) {
  const Files ranks = {{"job/", ""},
                       {"job/rank0.json", traceOf("zero")},
                       {"__MACOSX/job/._rank0.json", "Mac OS X"},
                       {"job/._rank1.json", "Mac OS X"},
                       {"job/notes.txt", "not a trace"},
                       {"job/rank1.json.gz", gzip(traceOf("one"))},
                       {"job/empty", ""}};
  for (const Choose format : {archive_write_set_format_zip, archive_write_set_format_pax_restricted}) {
    const JsonReading read = readJsonText(packed(ranks, format));
    EXPECT_EQ(read.names(), "zero one");
    ASSERT_THAT(read.documents, SizeIs(2));
    EXPECT_EQ(read.documents[0].name, "job/rank0.json");
    EXPECT_EQ(read.documents[1].name, "job/rank1.json.gz");
    EXPECT_EQ(read.documents[1].top.at("rank"), "\"one\"");
    ASSERT_THAT(read.damage(), ElementsAre("import-skipped-member 2"));
    EXPECT_THAT(read.issues[0].text, HasSubstr("job/notes.txt, job/empty"));
    EXPECT_EQ(read.events[1].ordinal, Positions::kEvery);
  }
}

TEST(ArchiveText, AnArchiveWithoutATraceIsNone) {
  const JsonReading read = readJsonText(packed({{"a.txt", "text"}}, archive_write_set_format_zip));
  ASSERT_TRUE(read.error);
  EXPECT_EQ(read.error->code, ErrorCode::kNotAReport);
  EXPECT_EQ(read.error->detail, "holds no trace");
  EXPECT_TRUE(readJsonText(packed({}, archive_write_set_format_zip)).error);
}

TEST(ArchiveText, ArgumentsOfPackedEventsAreReadFromTheUnpackedText) {
  const test::TemporaryFolder folder;
  const auto one = [](const std::string& value) {
    return R"({"traceEvents":[{"ph":"X","args":{"v":")" + value + "\"}}]}";
  };
  test::writeFile(folder / "t.zip",
                  packed({{"a", one("first")}, {"no", "rubbish"}, {"b", one("second")}}, archive_write_set_format_zip));
  const JsonReading read = readJsonFile(folder / "t.zip");
  ASSERT_THAT(read.events, SizeIs(2));
  for (int again = 0; again < 2; ++again) {
    const auto first =
        argumentsOf(folder / "t.zip", read.positions, read.events[0].ordinal, folder / "unpacked", Job());
    const auto second =
        argumentsOf(folder / "t.zip", read.positions, read.events[1].ordinal, folder / "unpacked", Job());
    ASSERT_TRUE(first && second);
    EXPECT_THAT(*first, ElementsAre(testing::Pair("v", "first")));
    EXPECT_THAT(*second, ElementsAre(testing::Pair("v", "second")));
  }
  EXPECT_EQ(test::readFile(folder / "unpacked"), one("first") + "rubbish" + one("second"));
  EXPECT_THAT(folder.names(), ElementsAre("t.zip", "unpacked"));
}

TEST(ArchiveText, NoMoreIsUnpackedThanIsAskedFor) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "a.gz", gzip(std::string(5'000'000, ' ')));
  ASSERT_TRUE(unpackInto(folder / "a.gz", folder / "text", 1'000'000, Job()));
  EXPECT_EQ(std::filesystem::file_size(folder / "text"), 1'000'000u);
}

TEST(ArchiveText, AReaderThatStopsEarlyStopsTheUnpacking) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "t.gz", gzip(longTrace(100'000)));
  const auto source = openText(folder / "t.gz");
  ASSERT_TRUE(source);
  std::string name;
  EXPECT_TRUE((*source)->nextDocument(name));
  char byte = 0;
  EXPECT_EQ((*source)->read(&byte, 1), 1u);
  EXPECT_EQ(byte, '[');
}  // and does not wait for ever

}  // namespace
}  // namespace lanescope::imported

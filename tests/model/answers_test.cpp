// SPDX-License-Identifier: Apache-2.0
#include "model/answers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/files.h"

namespace lanescope {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(Answers, AreFoundByTheirQuestionAlone) {
  const test::TemporaryFolder folder;
  const Answers answers(folder / "kept");
  EXPECT_EQ(answers.find("how many?"), std::nullopt);
  answers.keep("how many?", std::string("12\0\n", 4));
  EXPECT_EQ(answers.find("how many?"), std::string("12\0\n", 4));
  EXPECT_EQ(answers.find("how much?"), std::nullopt);
}

TEST(Answers, ADamagedOneIsNone) {
  const test::TemporaryFolder folder;
  const Answers answers(folder.path());
  answers.keep("q", "an answer");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string text = test::readFile(entry.path());
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string damaged = text;
      damaged[i] ^= 1;
      write(entry.path(), damaged);
      EXPECT_EQ(answers.find("q"), std::nullopt) << i;
      write(entry.path(), text.substr(0, i));
      EXPECT_EQ(answers.find("q"), std::nullopt) << i;
    }
  }
}

TEST(Answers, SeveralTextsGoAsOne) {
  const std::vector<std::string> texts = {"", "a", std::string("b\0c", 3), ""};
  EXPECT_EQ(unpacked(packed(texts)), texts);
  EXPECT_EQ(unpacked(""), std::vector<std::string>());
  EXPECT_EQ(unpacked("short"), std::nullopt);
  EXPECT_EQ(unpacked(std::string(8, '\xFF') + "short"), std::nullopt);
}

TEST(Answers, WhereNothingCanBeKeptNothingIs) {
  const test::TemporaryFolder folder;
  write(folder / "file", "");
  const Answers answers(folder / "file" / "kept");
  answers.keep("q", "a");
  EXPECT_EQ(answers.find("q"), std::nullopt);
}

TEST(Answers, SmallFilesAreToldApartByWhicheverByte) {
  const test::TemporaryFolder folder;
  constexpr std::size_t kPages = 64, kPage = 4096;  // as many as are looked at
  std::string text(kPages * kPage, 'x');
  write(folder / "a", text);
  const std::string key = contentKey(folder / "a");
  write(folder / "b", text);
  EXPECT_EQ(contentKey(folder / "b"), key) << "wherever it lies";
  for (std::size_t page = 0; page < kPages; page += 9) {
    std::string other = text;
    other[page * kPage + 17] = 'y';
    write(folder / "b", other);
    EXPECT_NE(contentKey(folder / "b"), key) << page;
  }
  text += "xyz";  // of one page more the samples still reach the end
  write(folder / "a", text);
  const std::string longer = contentKey(folder / "a");
  text.back() = '!';
  write(folder / "a", text);
  EXPECT_NE(contentKey(folder / "a"), longer);
}

TEST(Answers, AFileThatChangedHasAnotherFingerprint) {
  const test::TemporaryFolder folder;
  write(folder / "a", std::string(100'000, 'x'));
  const std::string before = fingerprint(folder / "a");
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(fingerprint(folder / "a"), before);
  const auto time = std::filesystem::last_write_time(folder / "a");
  write(folder / "a", std::string(50'000, 'x') + std::string(50'000, 'y'));
  std::filesystem::last_write_time(folder / "a", time);
  EXPECT_NE(fingerprint(folder / "a"), before) << "whatever its time says";
  EXPECT_EQ(fingerprint(folder / "missing"), "");
  EXPECT_EQ(fingerprint(folder.path()), "");
}

TEST(Answers, AContentHasOneKeyWhereverItLies) {
  const test::TemporaryFolder folder;
  write(folder / "a", std::string(100'000, 'x'));
  write(folder / "b", std::string(100'000, 'x'));
  write(folder / "longer", std::string(100'001, 'x'));
  write(folder / "other", 'y' + std::string(99'999, 'x'));
  const std::string key = contentKey(folder / "a");
  EXPECT_FALSE(key.empty());
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef-"), std::string::npos) << key;
  EXPECT_EQ(contentKey(folder / "b"), key);
  EXPECT_NE(contentKey(folder / "longer"), key);
  EXPECT_NE(contentKey(folder / "other"), key);
  EXPECT_EQ(contentKey(folder / "missing"), "");
  EXPECT_EQ(contentKey(folder.path()), "");
}

}  // namespace
}  // namespace lanescope

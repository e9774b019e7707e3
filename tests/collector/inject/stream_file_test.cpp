// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/stream_file.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "tests/collector/inject/recorded.h"

namespace lanescope::inject {
namespace {

using test::readFile;
using test::TemporaryFolder;

/// Chunks of the file whose checksum holds, and the bytes that belong to none.
std::pair<int, int> chunksOf(const std::filesystem::path& file) {
  const test::Stream stream = test::readStream(file);
  return {stream.ends, stream.tornBytes};
}

TEST(StreamFile, IsNewAndForItsOwnerOnly) {
  TemporaryFolder folder;
  StreamFile file, again;
  ASSERT_TRUE(file.create((folder / "a.stream").c_str()));
  EXPECT_FALSE(again.create((folder / "a.stream").c_str()));
  EXPECT_FALSE(again.create((folder / "nowhere/a.stream").c_str()));
  EXPECT_EQ(std::filesystem::status(folder / "a.stream").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(StreamFile, AChunkThatWasNeverOpenedIsRefused) {
  StreamFile file;
  EXPECT_FALSE(file.append(wire::ChunkType::kEnd, nullptr, 0));
}

TEST(StreamFile, ChunksOfManyThreadsDoNotMix) {
  TemporaryFolder folder;
  StreamFile file;
  ASSERT_TRUE(file.create((folder / "a.stream").c_str()));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const std::string bytes(5000, 'x');
      for (int chunk = 0; chunk < 100; ++chunk) {
        EXPECT_TRUE(file.append(wire::ChunkType::kEnd, bytes.data(), static_cast<std::uint32_t>(bytes.size())));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(chunksOf(folder / "a.stream"), std::pair(400, 0));
}

/// In a process of its own, whose limits and signals may be changed.
int inChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(StreamFile, AtALimitTheFileStaysWholeAndNoSignalComes) {
  TemporaryFolder folder;
  StreamFile file;
  ASSERT_TRUE(file.create((folder / "a.stream").c_str()));
  const int result = inChild([&] {
    const rlimit limit{20000, 20000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string bytes(3000, 'x');
    int written = 0;
    for (int i = 0; i < 10; ++i) written += file.append(wire::ChunkType::kEnd, bytes.data(), 3000) ? 1 : 0;
    written += file.append(wire::ChunkType::kEnd, bytes.data(), 100) ? 100 : 0;  // a small one still fits
    sigset_t mask;
    sigprocmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, SIGXFSZ) == 0 && file.lastError() == EFBIG ? written : 99;
  });
  EXPECT_EQ(result, 106);
  EXPECT_EQ(chunksOf(folder / "a.stream"), std::pair(7, 0));
}

TEST(StreamFile, OnAFullDiskTheFileStaysWholeAndGrowsAgainWhenThereIsRoom) {
  TemporaryFolder folder;
  if (mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "may not mount a small disk";
  {
    StreamFile file;
    ASSERT_TRUE(file.create((folder / "a.stream").c_str()));
    test::writeFile(folder / "ballast", std::string(30000, 'b'));
    const std::string bytes(6000, 'x');
    int written = 0;
    for (int i = 0; i < 20; ++i) written += file.append(wire::ChunkType::kEnd, bytes.data(), 6000) ? 1 : 0;
    EXPECT_GT(written, 0);
    EXPECT_LT(written, 20);
    EXPECT_EQ(file.lastError(), ENOSPC);
    EXPECT_EQ(chunksOf(folder / "a.stream"), std::pair(written, 0));
    std::filesystem::remove(folder / "ballast");
    EXPECT_TRUE(file.append(wire::ChunkType::kEnd, bytes.data(), 6000));
    EXPECT_EQ(chunksOf(folder / "a.stream"), std::pair(written + 1, 0));
    file.abandon();
  }
  umount2(folder.path().c_str(), MNT_DETACH);
}

TEST(StreamFile, AFileOfTheProgramUnderOurNumberIsNotWritten) {
  TemporaryFolder folder;
  StreamFile file;
  ASSERT_TRUE(file.create((folder / "a.stream").c_str()));
  const int result = inChild([&] {
    for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
    const int own = open((folder / "own").c_str(), O_CREAT | O_WRONLY, 0600);
    for (int descriptor = 600; descriptor < 1000; ++descriptor) dup2(own, descriptor);
    return file.append(wire::ChunkType::kEnd, nullptr, 0) ? 0 : 1;
  });
  EXPECT_EQ(result, 0);
  EXPECT_EQ(readFile(folder / "own"), "");
  EXPECT_EQ(chunksOf(folder / "a.stream"), std::pair(1, 0));
}

}  // namespace
}  // namespace lanescope::inject

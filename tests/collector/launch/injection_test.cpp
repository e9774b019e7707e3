// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/injection.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <map>

#include "collector/launch/find_cupti.h"
#include "collector/launch/needed_libraries.h"
#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ReadVariable environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

void writeProgram(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  test::writeFile(path, text);
  fs::permissions(path, fs::perms::owner_all);
}

void touch(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::writeFile(path, "");
}

TEST(Injection, AnotherToolIsNamed) {
  EXPECT_EQ(whyNotHere(environment({})), "");
  EXPECT_EQ(whyNotHere(environment({{"CUDA_INJECTION64_PATH", ""}})), "");
  EXPECT_THAT(whyNotHere(environment({{"CUDA_INJECTION64_PATH", "/opt/x.so"}})),
              HasSubstr("CUDA_INJECTION64_PATH is already set, to /opt/x.so"));
  EXPECT_THAT(whyNotHere(environment({{"NVTX_INJECTION64_PATH", "/opt/x.so"}})), HasSubstr("NVTX_INJECTION64_PATH"));
  EXPECT_THAT(whyNotHere(environment({{"NSYS_PROFILING_SESSION_ID", "1"}})), HasSubstr("nsys"));
  EXPECT_THAT(whyNotHere(environment({{"LANESCOPE_SESSION", "/x"}, {"CUDA_INJECTION64_PATH", "/y"}})),
              HasSubstr("already being recorded by lanescope"));
}

TEST(Injection, ProgramsAreFoundAsAShellDoes) {
  const test::TemporaryFolder folder;
  writeProgram(folder / "one/tool", "");
  writeProgram(folder / "two/tool", "");
  touch(folder / "one/data");
  const std::string path =
      (folder / "none").string() + ":" + (folder / "two").string() + ":" + (folder / "one").string();
  EXPECT_EQ(findProgram("tool", path).value(), folder / "two/tool");
  EXPECT_EQ(findProgram((folder / "one/tool").string(), "").value(), folder / "one/tool");
  EXPECT_THAT(sentence(findProgram("data", path).error()), HasSubstr("data: no such program"));
  EXPECT_THAT(sentence(findProgram((folder / "one/data").string(), "").error()), HasSubstr("is not executable"));
  EXPECT_THAT(sentence(findProgram((folder / "one").string(), "").error()), HasSubstr("is a folder"));
  EXPECT_THAT(sentence(findProgram("./none", "").error()), HasSubstr("./none: no such program"));
}

TEST(Injection, TheInterpreterOfAScriptIsFound) {
  const test::TemporaryFolder folder;
  writeProgram(folder / "bin/python3", "");
  const std::string path = (folder / "bin").string();
  const auto interpreter = [&](std::string_view text) {
    writeProgram(folder / "script", text);
    return interpreterOf(folder / "script", path);
  };
  EXPECT_EQ(interpreter("#!/opt/py/bin/python3.11 -u\nimport torch"), "/opt/py/bin/python3.11");
  EXPECT_EQ(interpreter("#!/usr/bin/env python3\n"), folder / "bin/python3");
  EXPECT_EQ(interpreter("#! /usr/bin/env -S X=1 python3 -u\n"), folder / "bin/python3");
  EXPECT_EQ(interpreter("#!/usr/bin/env nothing\n"), folder / "script");
  EXPECT_EQ(interpreter("#!\n"), folder / "script");
  EXPECT_EQ(interpreter("\x7f"
                        "ELF"),
            folder / "script");
  EXPECT_EQ(interpreter(""), folder / "script");
}

std::string elf(unsigned char bits, const char* loader) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = bits;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr part{};
  part.p_type = loader ? PT_INTERP : PT_LOAD;
  part.p_offset = sizeof header + sizeof part;
  part.p_filesz = loader ? std::strlen(loader) + 1 : 0;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(&part), sizeof part);
  return loader ? bytes + loader + '\0' : bytes;
}

TEST(Injection, ExecutablesThatTakeNoLibraryAreKnown) {
  const test::TemporaryFolder folder;
  const auto why = [&](const std::string& bytes) {
    writeProgram(folder / "program", bytes);
    return whyNotInto(folder / "program");
  };
  EXPECT_EQ(why(elf(ELFCLASS64, "/lib64/ld-linux-x86-64.so.2")), "");
  EXPECT_EQ(why("#!/bin/sh\n"), "");
  EXPECT_EQ(why(""), "");
  EXPECT_THAT(why(elf(ELFCLASS32, "/lib/ld-linux.so.2")), HasSubstr("32-bit"));
  EXPECT_THAT(why(elf(ELFCLASS64, nullptr)), HasSubstr("statically"));
  EXPECT_THAT(why(elf(ELFCLASS64, "/lib/ld-musl-x86_64.so.1")), HasSubstr("musl"));
  EXPECT_EQ(whyNotInto("/proc/self/exe"), "");
  std::string cut = elf(ELFCLASS64, "/lib64/ld-linux-x86-64.so.2");
  for (std::size_t length = 0; length < cut.size(); ++length) why(cut.substr(0, length));  // only not to crash
}

TEST(Injection, TheEnvironmentNamesLibraryAndSession) {
  EXPECT_THAT(injectionVariables("/x/lib.so", "/y"),
              testing::ElementsAre(testing::Pair("LANESCOPE_SESSION", "/y"),
                                   testing::Pair("CUDA_INJECTION64_PATH", "/x/lib.so"),
                                   testing::Pair("NVTX_INJECTION64_PATH", "/x/lib.so")));
  EXPECT_EQ(injectionVariables("", "/y").size(), 1u);
}

TEST(Injection, PreloadedLibrariesStandBeforeTheProgramsOwn) {
  const test::TemporaryFolder folder;
  const fs::path recorder = folder / "recorder.so";
  const std::string one = (folder / "one.so").string(), two = (folder / "two.so").string();
  test::writeFile(one, ""), test::writeFile(two, "");
  EXPECT_EQ(preloadVariable(recorder, {"one.so", "two.so", "missing.so"}, environment({})), one + ":" + two);
  EXPECT_EQ(preloadVariable(recorder, {"one.so"}, environment({{"LD_PRELOAD", "/usr/lib/libjemalloc.so.2"}})),
            one + ":/usr/lib/libjemalloc.so.2");
  EXPECT_EQ(preloadVariable(recorder, {"missing.so"}, environment({{"LD_PRELOAD", "x"}})), std::nullopt);
  EXPECT_EQ(preloadVariable("", {"one.so"}, environment({})), std::nullopt);
}

TEST(Injection, TheLibrariesOfAnExecutableAreRead) {
  EXPECT_THAT(neededLibraries("/bin/ls"), testing::Contains("libc.so.6"));
  EXPECT_EQ(whyNotPreloaded("/bin/ls"), "");
  const test::TemporaryFolder folder;
  std::string bytes = test::readFile("/bin/ls");
  const std::size_t name = bytes.find("libc.so.6");
  ASSERT_NE(name, std::string::npos);
  bytes.replace(name, 9, std::string("libasan.8").substr(0, 9));
  test::writeFile(folder / "program", bytes);
  EXPECT_THAT(whyNotPreloaded(folder / "program"), HasSubstr("built with a sanitizer (libasan.8)"));
  EXPECT_THAT(neededLibraries(folder / "none"), testing::IsEmpty());
  for (std::size_t length = 0; length < 4096; length += 7) {  // only not to crash
    test::writeFile(folder / "cut", bytes.substr(0, length));
    neededLibraries(folder / "cut");
  }
  for (std::size_t at = 0; at < 1024; ++at) {
    std::string damaged = bytes.substr(0, 65536);
    damaged[at] = static_cast<char>(0xFF);
    test::writeFile(folder / "damaged", damaged);
    neededLibraries(folder / "damaged");
  }
}

class FindCupti : public testing::Test {
 protected:
  fs::path find(const fs::path& interpreter = "/usr/bin/program", std::map<std::string, std::string> variables = {}) {
    return findCupti({folder_.path(), interpreter, environment(std::move(variables))});
  }
  void driver(const char* version) {
    fs::create_directories(folder_ / "sys/module/nvidia");
    test::writeFile(folder_ / "sys/module/nvidia/version", version);
  }
  test::TemporaryFolder folder_;
};

TEST_F(FindCupti, NoneIsNothing) { EXPECT_EQ(find(), ""); }

TEST_F(FindCupti, TheToolkitIsFoundByItsSoname) {
  touch(folder_ / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so.2025.3.1");
  touch(folder_ / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so");
  EXPECT_EQ(find(), "") << "no name that tells the version";
  touch(folder_ / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13");
  EXPECT_EQ(find(), folder_ / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13");
}

TEST_F(FindCupti, CudaHomeComesBeforeTheUsualPlace) {
  touch(folder_ / "usr/local/cuda/lib64/libcupti.so.13");
  touch(folder_ / "mine/lib64/libcupti.so.12");
  EXPECT_EQ(find("/bin/x", {{"CUDA_HOME", (folder_ / "mine").string()}}), folder_ / "mine/lib64/libcupti.so.12");
}

TEST_F(FindCupti, ADriverIsGivenNothingNewerThanItself) {
  touch(folder_ / "usr/local/cuda-13.0/lib64/libcupti.so.13");
  touch(folder_ / "usr/local/cuda-12.4/lib64/libcupti.so.12");
  EXPECT_EQ(find().filename(), "libcupti.so.13");
  driver("535.104.05\n");
  EXPECT_EQ(find().filename(), "libcupti.so.12");
  driver("470.82.01\n");
  EXPECT_EQ(find(), "");
  driver("580.159.03\n");
  EXPECT_EQ(find().filename(), "libcupti.so.13");
}

TEST_F(FindCupti, ThePackagesOfTheProgramsPythonComeFirst) {
  touch(folder_ / "usr/local/cuda/lib64/libcupti.so.13");
  const fs::path system = folder_ / "py";
  writeProgram(system / "bin/python3.12", "");
  touch(system / "lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12");
  EXPECT_EQ(find(system / "bin/python3.12"),
            system / "lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12");

  // A virtual environment of it, which has its own packages and only a link to the interpreter.
  const fs::path venv = folder_ / "venv";
  fs::create_directories(venv / "bin");
  fs::create_symlink(system / "bin/python3.12", venv / "bin/python");
  EXPECT_EQ(find(venv / "bin/python").filename(), "libcupti.so.12");
  touch(venv / "lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13");
  EXPECT_EQ(find(venv / "bin/python"), venv / "lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13");
  EXPECT_EQ(find("/usr/bin/program").parent_path(), folder_ / "usr/local/cuda/lib64");
}

TEST(CudaOfDriver, FollowsTheDriverBranches) {
  EXPECT_EQ(cudaOfDriver("470.82.01"), 11);
  EXPECT_EQ(cudaOfDriver("525.60"), 12);
  EXPECT_EQ(cudaOfDriver("579"), 12);
  EXPECT_EQ(cudaOfDriver("610.57.04"), 13);
  EXPECT_EQ(cudaOfDriver(""), std::nullopt);
}

}  // namespace
}  // namespace lanescope::launch

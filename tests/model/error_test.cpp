// SPDX-License-Identifier: Apache-2.0
#include "model/error.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

constexpr int kCodes = static_cast<int>(ErrorCode::kStillWritten) + 1;

TEST(Error, EverySentenceNamesTheFileWhatIsWrongAndWhatToDo) {
  for (int code = 0; code < kCodes; ++code) {
    for (const char* detail : {"", "some detail"}) {
      const std::string text = sentence({static_cast<ErrorCode>(code), "a.rep", detail});
      EXPECT_TRUE(text.starts_with("a.rep: ")) << text;
      EXPECT_NE(text.find("; "), std::string::npos) << text;
      EXPECT_NE(text.find(detail), std::string::npos) << text;
      EXPECT_FALSE(text.ends_with('.')) << text;
    }
  }
}

TEST(Error, ASentenceStaysOneLineWhateverTheFileIsCalled) {
  const std::string text = sentence({ErrorCode::kNotFound, "a\nb\xFF", ""});
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_NE(text.find("\uFFFD"), std::string::npos);
}

TEST(Error, AVendorReportIsToldHowToBecomeReadable) {
  EXPECT_EQ(sentence({ErrorCode::kVendorReport, "x.nsys-rep", ".nsys-rep"}),
            "x.nsys-rep: is an Nsight Systems report (.nsys-rep), which only nsys can read; "
            "run: nsys export --type sqlite x.nsys-rep, and open the result");
}

TEST(Error, WhatCannotBeReadEndsInTwoAndWhatCannotBeFinishedInThree) {
  EXPECT_EQ(exitStatus({ErrorCode::kNotAReport, "", ""}), 2);
  EXPECT_EQ(exitStatus({ErrorCode::kExists, "", ""}), 2);
  EXPECT_EQ(exitStatus({ErrorCode::kDiskFull, "", ""}), 3);
  EXPECT_EQ(exitStatus({ErrorCode::kWriteFailed, "", ""}), 3);
  EXPECT_EQ(exitStatus({ErrorCode::kBadAddress, "", ""}), 2);
  EXPECT_EQ(exitStatus({ErrorCode::kUnreachable, "", ""}), 3);
  EXPECT_EQ(exitStatus({ErrorCode::kStillWritten, "", ""}), 3);
}

}  // namespace
}  // namespace lanescope

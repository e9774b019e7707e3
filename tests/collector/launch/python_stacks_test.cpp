// SPDX-License-Identifier: Apache-2.0
// How Python's frames come into a native stack. "I" is a call of the interpreter's function, other letters are C; Python's
// frames are small letters, in capitals where the interpreter was called for them.
#include "collector/launch/python_stacks.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace lanescope::launch {
namespace {

std::string joined(const std::string& native, const std::string& python, bool isComplete = true) {
  std::vector<char> isInterpreter;
  for (const char frame : native) isInterpreter.push_back(frame == 'I' ? 1 : 0);
  std::vector<wire::PythonFrame> frames;
  for (const char frame : python) frames.push_back({0, 0, std::isupper(static_cast<unsigned char>(frame)) ? 1u : 0u});
  std::string text;
  for (const JoinedFrame& frame : joinPython(isInterpreter, isComplete, frames)) {
    if (frame.isPython) text += static_cast<char>(std::tolower(python[frame.index]));
    else text += native[frame.index];
  }
  return text;
}

TEST(JoinPython, GivesEachCallItsFrameWherePythonCallsThroughC) {
  EXPECT_EQ(joined("XIVIVIRS", "ABC"), "XaVbVcRS") << "3.9 and 3.10";
}

TEST(JoinPython, GivesACallAllFramesThatItRuns) {
  EXPECT_EQ(joined("XIRS", "abcD"), "XabcdRS") << "3.11 and later";
  EXPECT_EQ(joined("XISIRS", "aBcdE"), "XabScdeRS") << "a key function that sorting calls";
}

TEST(JoinPython, KeepsANativeStackWithoutPython) {
  EXPECT_EQ(joined("XYRS", ""), "XYRS");
  EXPECT_EQ(joined("XYRS", "aB"), "XYRS") << "the thread was elsewhere a moment ago";
}

TEST(JoinPython, AgreesAtTheOuterEndOfACompleteStack) {
  EXPECT_EQ(joined("XIVIRS", "abCD"), "XabcVdRS");
  EXPECT_EQ(joined("XIVIRS", "D"), "XIVdRS") << "a call that had not begun when Python was looked at";
  EXPECT_EQ(joined("XIRS", "aBC"), "XcRS") << "calls that had ended when the sample was taken";
}

TEST(JoinPython, KnowsMoreThanAStackThatWasCut) {
  EXPECT_EQ(joined("XIVIV", "ABCD", false), "XaVbVcd");
  EXPECT_EQ(joined("X", "aB", false), "Xab");
  EXPECT_EQ(joined("", "aB", false), "ab") << "where only Python is known";
}

TEST(JoinPython, TakesAnUnfinishedGroupAsOne) { EXPECT_EQ(joined("XIRS", "abc"), "XabcRS") << "frames that were cut"; }

}  // namespace
}  // namespace lanescope::launch

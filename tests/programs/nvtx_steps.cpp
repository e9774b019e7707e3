// SPDX-License-Identifier: Apache-2.0
// A program that does what its words say, one after the other: "+NAME" opens an NVTX range, "+NAME@DOMAIN" one of a
// domain, "-" closes the last one, "?PIPE" waits for somebody to write into a pipe, "!PIPE" waits for somebody to read
// from one. Prints nothing.
#include <nvtx3/nvToolsExt.h>

#include <fstream>
#include <string>
#include <vector>

int main(int count, char** words) {
  std::vector<nvtxDomainHandle_t> open;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i], name = word.substr(1);
    std::string line;
    if (word[0] == '?') std::getline(std::ifstream(name) >> std::ws, line);
    if (word[0] == '!') std::ofstream(name) << "on\n";
    if (word[0] == '+') {
      const std::size_t at = name.find('@');
      const std::string text = name.substr(0, at);
      open.push_back(at == std::string::npos ? nullptr : nvtxDomainCreateA(name.substr(at + 1).c_str()));
      nvtxEventAttributes_t range{};
      range.version = NVTX_VERSION;
      range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
      range.messageType = NVTX_MESSAGE_TYPE_ASCII;
      range.message.ascii = text.c_str();
      nvtxDomainRangePushEx(open.back(), &range);
    }
    if (word[0] == '-') {
      nvtxDomainRangePop(open.back());
      open.pop_back();
    }
  }
  return 0;
}

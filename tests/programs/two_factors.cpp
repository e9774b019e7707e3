// SPDX-License-Identifier: Apache-2.0
// Preloaded into the tests' own sshd in place of PAM's library, where its configuration says UsePAM: whoever logs in
// with the keyboard is asked for a password, "open sesame", and then for a code, "271828". Types and numbers as in
// Linux-PAM's <security/_pam_types.h>.
#include <cstdlib>
#include <cstring>

extern "C" {

struct pam_message {
  int style;
  const char* text;
};
struct pam_response {
  char* text;
  int code;
};
struct pam_conv {
  int (*talk)(int count, const pam_message** messages, pam_response** responses, void* data);
  void* data;
};
struct pam_handle {
  pam_conv conversation;
  char* user;
};

enum { kSuccess = 0, kRefused = 7 };
enum { kEchoOff = 1, kEchoOn = 2 };
enum { kUserItem = 2, kConversationItem = 5 };

static bool answers(const pam_handle& pam, int style, const char* question, const char* right) {
  const pam_message message{style, question};
  const pam_message* messages = &message;
  pam_response* response = nullptr;
  if (pam.conversation.talk(1, &messages, &response, pam.conversation.data) != kSuccess || !response) return false;
  const bool isRight = response->text && std::strcmp(response->text, right) == 0;
  std::free(response->text);
  std::free(response);
  return isRight;
}

int pam_start(const char*, const char* user, const pam_conv* conversation, pam_handle** pam) {
  *pam = new pam_handle{*conversation, strdup(user)};
  return kSuccess;
}

int pam_end(pam_handle* pam, int) {
  std::free(pam->user);
  delete pam;
  return kSuccess;
}

int pam_authenticate(pam_handle* pam, int) {
  const bool isIn =
      answers(*pam, kEchoOff, "Password: ", "open sesame") && answers(*pam, kEchoOn, "Verification code: ", "271828");
  return isIn ? kSuccess : kRefused;
}

int pam_set_item(pam_handle* pam, int item, const void* value) {
  if (item == kConversationItem) pam->conversation = *static_cast<const pam_conv*>(value);
  return kSuccess;
}

int pam_get_item(const pam_handle* pam, int item, const void** value) {
  *value = item == kUserItem ? pam->user : nullptr;
  return kSuccess;
}

const char* pam_strerror(pam_handle*, int error) { return error == kSuccess ? "well" : "refused"; }
char** pam_getenvlist(pam_handle*) { return static_cast<char**>(std::calloc(1, sizeof(char*))); }
int pam_putenv(pam_handle*, const char*) { return kSuccess; }
int pam_acct_mgmt(pam_handle*, int) { return kSuccess; }
int pam_setcred(pam_handle*, int) { return kSuccess; }
int pam_open_session(pam_handle*, int) { return kSuccess; }
int pam_close_session(pam_handle*, int) { return kSuccess; }
int pam_chauthtok(pam_handle*, int) { return kSuccess; }
}

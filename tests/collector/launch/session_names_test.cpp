// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_names.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "collector/launch/session_commands.h"
#include "collector/launch/session_folder.h"
#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SessionNames : public testing::Test {
 protected:
  SessionNames() { setenv("XDG_RUNTIME_DIR", place_.path().c_str(), 1); }

  /// The folder of a recording that this process makes.
  SessionFolder folder() {
    auto session = SessionFolder::create(place_.path(), "x");
    EXPECT_TRUE(session && session->addFacts(launcherFacts()));
    return std::move(*session);
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const KnownSession& session : knownSessions()) all.push_back(session.name);
    return all;
  }

  test::TemporaryFolder place_;
};

TEST_F(SessionNames, AreThereWhileTheirOwnersLive) {
  const SessionFolder one = folder(), two = folder();
  {
    const auto a = SessionName::enter("web", one.path()), b = SessionName::enter("api", two.path());
    ASSERT_TRUE(a && b);
    EXPECT_THAT(names(), ElementsAre("api", "web"));
    const auto again = SessionName::enter("web", two.path());
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error(), HasSubstr("there is one of that name"));
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(SessionNames, OfWhichNothingIsLeftAreClearedAway) {
  SessionFolder gone = folder();
  auto entry = SessionName::enter("web", gone.path());
  test::writeFile(socketOf(*sessionsFolder(), "web"), "");
  gone.remove();
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_THAT(fs::directory_iterator(*sessionsFolder()), fs::directory_iterator());
  const SessionFolder next = folder();
  EXPECT_TRUE(SessionName::enter("web", next.path()));
}

TEST_F(SessionNames, OfDeadLaunchersAreOrphansUntilTheirFoldersGo) {
  SessionFolder session = folder();
  const auto entry = SessionName::enter("web", session.path());
  ASSERT_TRUE(session.addFacts({{"launcher-start", "1"}}));  // another process had this number
  ASSERT_EQ(knownSessions().size(), 1u);
  EXPECT_EQ(knownSessions()[0].state, SessionState::kOrphan);
  EXPECT_THAT(SessionName::enter("web", session.path()).error(), HasSubstr("lanescope recover '"));
  session.remove();
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(SessionNames, TellWhatTheirControlPagesSay) {
  SessionFolder session = folder();
  const auto entry = SessionName::enter("web", session.path());
  const auto state = [] { return knownSessions().at(0).state; };
  EXPECT_EQ(state(), SessionState::kWaiting);
  ASSERT_TRUE(session.addFacts({{"launched", "1"}, {"program-pid", "42"}, {"command", "./server"}}));
  EXPECT_EQ(state(), SessionState::kReady);
  EXPECT_EQ(knownSessions()[0].process, 42);
  EXPECT_EQ(knownSessions()[0].program, "./server");
  session.control().begin();
  EXPECT_EQ(state(), SessionState::kRecording);
  EXPECT_GT(knownSessions()[0].since, 1'000'000'000'000'000'000) << "of the wall clock";
  session.control().pause();
  EXPECT_EQ(state(), SessionState::kReady);
  session.control().end();
  EXPECT_EQ(state(), SessionState::kEnding);
}

TEST_F(SessionNames, HoldNothingThatLeadsOutOfTheirFolder) {
  for (const char* bad : {"", ".", "..", ".web", "-web", "a/b", "a b", "a\nb", "ä"}) {
    EXPECT_NE(badSessionName(bad), "") << bad;
    EXPECT_FALSE(SessionName::enter(bad, place_.path())) << bad;
    EXPECT_FALSE(prepareSession(bad, {})) << bad;
  }
  EXPECT_NE(badSessionName(std::string(49, 'a')), "");
  for (const char* good : {"web", "profile-12-python3", "a.b_c+d@e", "7"}) EXPECT_EQ(badSessionName(good), "") << good;
}

TEST_F(SessionNames, OneOfManyWhoWantTheSameGetsIt) {
  const SessionFolder session = folder();
  std::vector<SessionName> got(8);
  std::vector<std::thread> threads;
  threads.reserve(got.size());
  for (auto& one : got)
    threads.emplace_back([&] { one = SessionName::enter("web", session.path()).value_or(SessionName()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count_if(got.begin(), got.end(), [](const auto& one) { return one.name() == "web"; }), 1);
}

TEST_F(SessionNames, ArePreparedOnceAndTakenOnce) {
  ASSERT_TRUE(prepareSession("web", {"/here", "-o", "a b"}));
  EXPECT_FALSE(prepareSession("web", {}));
  EXPECT_EQ(knownSessions().at(0).state, SessionState::kPrepared);
  EXPECT_EQ(takePrepared("other")->name, "");
  const auto taken = takePrepared("");
  EXPECT_EQ(taken->name, "web");
  EXPECT_THAT(taken->words, ElementsAre("/here", "-o", "a b"));
  EXPECT_EQ(takePrepared("web")->name, "");
  ASSERT_TRUE(prepareSession("a", {}) && prepareSession("b", {}));
  EXPECT_EQ(takePrepared("").error(), "sessions a, b are prepared; name one with --session-new=NAME");
}

TEST_F(SessionNames, WithoutOneTheOnlyThatLivesIsMeant) {
  const auto choice = [](const std::string& name, std::vector<KnownSession> known) {
    const auto chosen = chosenSession(name, known);
    return chosen ? chosen->name : "no: " + chosen.error();
  };
  const KnownSession web{.name = "web", .state = SessionState::kReady},
      api{.name = "api", .state = SessionState::kReady},
      dead{.name = "old", .state = SessionState::kOrphan, .folder = "/x"}, next{.name = "next"};
  EXPECT_EQ(choice("", {web}), "web");
  EXPECT_EQ(choice("", {dead, next, web}), "web");
  EXPECT_EQ(choice("old", {dead, web}), "old");
  EXPECT_EQ(choice("", {dead}), "old") << "whose remedy is then told";
  EXPECT_EQ(choice("", {api, web}), "no: several sessions run: api, web; name one with --session=NAME");
  EXPECT_EQ(choice("", {next, dead}), "no: no session runs, but there are next, old; see: lanescope sessions list");
  EXPECT_EQ(choice("wbe", {api, web}), "no: session wbe: there is none of that name; did you mean web?");
}

}  // namespace
}  // namespace lanescope::launch

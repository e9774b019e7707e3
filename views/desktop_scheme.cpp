// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QPalette>

namespace lanescope::views {
namespace {

constexpr auto kService = "org.freedesktop.portal.Desktop";
constexpr auto kPath = "/org/freedesktop/portal/desktop";
constexpr auto kInterface = "org.freedesktop.portal.Settings";
constexpr auto kGroup = "org.freedesktop.appearance";
constexpr auto kKey = "color-scheme";
constexpr int kTimeoutMs = 300;  // at start the window waits for this

std::optional<bool> fromPortal(QVariant value) {
  // Read() answers a variant in a variant, the signal a single one.
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  switch (value.toUInt()) {
    case 1:
      return true;
    case 2:
      return false;
    default:
      return std::nullopt;  // no preference
  }
}

}  // namespace

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent),
      paletteIsDark_(qobject_cast<QGuiApplication*>(QCoreApplication::instance()) &&
                     QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
  // Without a bus there is nobody to ask, and Qt would start one.
  if (!QCoreApplication::instance() || qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  auto question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
  question << QString::fromLatin1(kGroup) << QString::fromLatin1(kKey);
  const QDBusMessage answer = bus.call(question, QDBus::Block, kTimeoutMs);
  if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty())
    portal_ = fromPortal(answer.arguments().constFirst());
  bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
              SLOT(settingChanged(QString, QString, QDBusVariant)));
}

void DesktopScheme::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group != QLatin1String(kGroup) || key != QLatin1String(kKey)) return;
  const bool before = dark();
  portal_ = fromPortal(value.variant());
  if (dark() != before) emit changed();
}

}  // namespace lanescope::views

# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian package that `cpack` makes of it.
include(GNUInstallDirs)

install(TARGETS lanescope RUNTIME)
if(TARGET lanescope-inject)
  install(TARGETS lanescope-inject LIBRARY DESTINATION lib/lanescope)  # where findRecorder() looks
endif()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY resources/samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope/samples FILES_MATCHING PATTERN "*.rep")
if(LANESCOPE_UI)
  install(TARGETS lanescope-ui RUNTIME)
  install(FILES packaging/lanescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/lanescope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lanescope.xml)
  install(FILES resources/icons/lanescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  install(DIRECTORY resources/help/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope/help FILES_MATCHING PATTERN "*.md")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Lanescope authors <lanescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Timeline viewer and command line for profiles of CUDA programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-dejavu-core")
include(CPack)

# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian packages that `cpack` makes of it: `lanescope` (component collector),
# the command line and what is loaded into recorded programs, without Qt; `lanescope-ui` (component viewer).
include(GNUInstallDirs)
set(LANESCOPE_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions")

set(documents README.md CHANGELOG.md packaging/copyright)
set(components collector)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME collector)
install(TARGETS lanescope RUNTIME)
if(TARGET lanescope-inject)
  # where findRecorder() looks
  install(TARGETS lanescope-inject lanescope-preload lanescope-mpi LIBRARY DESTINATION lib/lanescope)
endif()
install(FILES ${documents} LICENSES/Apache-2.0.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lanescope)

# Manual pages and completion, as the program itself tells its words.
set(told ${CMAKE_BINARY_DIR}/told)
function(tell program)
  if(LANESCOPE_SANITIZE)  # such programs are not installed
    return()
  endif()
  add_custom_command(TARGET ${program} POST_BUILD VERBATIM
                     COMMAND ${CMAKE_SOURCE_DIR}/packaging/tell.sh $<TARGET_FILE:${program}> ${told}/${program})
  install(DIRECTORY ${told}/${program}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${told}/${program}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${program})
  install(FILES ${told}/${program}/zsh DESTINATION ${LANESCOPE_ZSH_FOLDER} RENAME _${program})
  install(FILES ${told}/${program}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          RENAME ${program}.fish)
endfunction()
tell(lanescope)

if(LANESCOPE_UI)
  list(APPEND components viewer)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME viewer)
  install(TARGETS lanescope-ui RUNTIME)
  install(FILES ${documents} LICENSES/GPL-3.0-or-later.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lanescope-ui)
  install(DIRECTORY resources/samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope/samples
          FILES_MATCHING PATTERN "*.rep")
  install(FILES packaging/lanescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/lanescope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lanescope.xml)
  install(FILES packaging/lanescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  function(install_icon file size)
    cmake_path(GET file EXTENSION kind)
    set(place ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size})
    install(FILES ${file} DESTINATION ${place}/apps RENAME lanescope${kind})
    install(FILES ${file} DESTINATION ${place}/mimetypes RENAME application-vnd.lanescope.report${kind})
  endfunction()
  install_icon(resources/icons/lanescope.svg scalable)
  foreach(size 48 128 256)  # for desktops that draw no SVG
    install_icon(resources/icons/lanescope-${size}.png ${size}x${size})
  endforeach()
  # What the viewer brings to servers. A build that is not portable installs none; the viewer then takes the programs.
  if(LANESCOPE_PORTABLE AND TARGET lanescope-inject)
    set(collector ${CMAKE_BINARY_DIR}/collector)
    file(MAKE_DIRECTORY ${collector})
    file(CREATE_LINK ../../../bin/lanescope ${collector}/lanescope SYMBOLIC)
    foreach(library inject preload mpi)
      set(file liblanescope-${library}.so)
      file(CREATE_LINK ../../../lib/lanescope/${file} ${collector}/${file} SYMBOLIC)
    endforeach()
    install(DIRECTORY ${collector} DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope)
  endif()
  tell(lanescope-ui)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_PACKAGE_CONTACT "The Lanescope authors <lanescope@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_NAME lanescope)
set(CPACK_COMPONENT_COLLECTOR_DESCRIPTION
    "Records CUDA programs and tells where their time went
The command line of Lanescope: lanescope profile records what a CUDA program
does on CPU and GPU; info, stats, analyze, report and export tell of it.
Needs no desktop. Recording needs NVIDIA's driver and CUPTI of CUDA 13.")
if(LANESCOPE_PORTABLE)  # dpkg-shlibdeps goes by where a function lies here; package.sh looks at what is asked for
  set(CPACK_DEBIAN_COLLECTOR_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_COLLECTOR_PACKAGE_DEPENDS "libc6 (>= 2.28)")
endif()
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_SUGGESTS "lanescope-ui")
set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME lanescope-ui)
set(CPACK_COMPONENT_VIEWER_DESCRIPTION
    "Timeline viewer for profiles of CUDA programs
Shows reports of Lanescope, and SQLite exports of Nsight Systems, on a
timeline: kernels, copies, CUDA calls, NVTX ranges, GPU metrics, with figures,
filters, searches and advice.")
set(CPACK_DEBIAN_VIEWER_PACKAGE_DEPENDS "lanescope (= ${PROJECT_VERSION}), fonts-inter, fonts-dejavu-core")
set(CPACK_DEBIAN_VIEWER_PACKAGE_RECOMMENDS "openssh-client")
include(CPack)

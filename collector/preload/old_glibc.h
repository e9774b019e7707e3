// SPDX-License-Identifier: Apache-2.0
// Included before everything: ties what glibc 2.34 moved into libc to the versions that every glibc since 2.17 has. Apart
// from the injected library's list, because here some of those names are defined.
#pragma once

#if defined(__x86_64__) && defined(__linux__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5");
__asm__(".symver dlsym,dlsym@GLIBC_2.2.5");
__asm__(".symver dlvsym,dlvsym@GLIBC_2.2.5");
__asm__(".symver dladdr1,dladdr1@GLIBC_2.3.3");
__asm__(".symver dladdr,dladdr@GLIBC_2.2.5");
__asm__(".symver __pthread_mutex_lock,__pthread_mutex_lock@GLIBC_2.2.5");
#endif

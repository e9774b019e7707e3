# SPDX-License-Identifier: Apache-2.0
# Stand-ins for the driver and CUPTI, laid out as a toolkit is: CUDA_HOME and LD_LIBRARY_PATH lead to them.
set(gpu_mocks ${CMAKE_BINARY_DIR}/tests/gpu_mocks)
function(lanescope_gpu_mock name source file)
  add_library(${name} SHARED collector/sample/programs/${source})
  target_link_libraries(${name} PRIVATE lanescope_options)
  target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME ${file} SUFFIX "" DEBUG_POSTFIX ""
                                           LIBRARY_OUTPUT_DIRECTORY ${gpu_mocks}/lib64)
endfunction()
lanescope_gpu_mock(mock_pm mock_pm.cpp libcupti.so.13)
lanescope_gpu_mock(mock_driver mock_driver.cpp libcuda.so.1)
lanescope_gpu_mock(mock_nvml mock_driver.cpp libnvidia-ml.so.1)
if(TARGET collector_tests)
  target_compile_definitions(collector_tests PRIVATE LANESCOPE_GPU_MOCKS="${gpu_mocks}")
  add_dependencies(collector_tests mock_pm)
endif()

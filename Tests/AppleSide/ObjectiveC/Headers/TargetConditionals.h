// Replaces the SDK's header; the target decides.
#pragma once
#define TARGET_OS_TV 0
#define TARGET_OS_IPHONE 1

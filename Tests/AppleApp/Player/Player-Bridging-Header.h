#import "ClassicPlayer.h"

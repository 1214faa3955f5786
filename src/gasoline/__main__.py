"""`python -m gasoline` is `gasoline`."""

import sys

from gasoline.surfaces.cli.main import main

sys.exit(main())

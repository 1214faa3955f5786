// What a page can start without, brought when it is there. It shares what the capture took and patched before the page's
// first script: the build takes that from `SHARED` instead of bundling it again.

import {companion, type Companion} from '../../capture/src/companion';
import {obedient} from './obedience';
import type {Obedient} from './page';
import type {share} from './shared';

declare const SHARED: ReturnType<typeof share> & {bring(companion: Companion, obedient: Obedient): void};

SHARED.bring(companion, obedient);

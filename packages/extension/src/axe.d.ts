// axe-core as it is once its packaged file ran in the page.

declare const axe: typeof import('axe-core');

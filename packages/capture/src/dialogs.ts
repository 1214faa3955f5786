// What the browser itself asks the user, and how that was answered.

import {patchMethod, quietly, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import type {EnhancedAction} from './wire';

const TEXT_CHARS = 100;
const DIALOGS = ['alert', 'confirm', 'prompt'] as const;

export function captureDialogs(tell: (fields: EnhancedAction) => void): Stop {
  return stopAll(
    DIALOGS.map(name =>
      patchMethod(window, name, (proceed, [message]) => {
        const answer = proceed();
        // `false` and `null` are a dialog sent away; what is typed into one may be a secret.
        quietly(() => tell({text: redactText(String(message ?? '').slice(0, TEXT_CHARS)), value: answer === false || answer === null ? 'dismiss' : 'accept', inputType: name}));
        return answer;
      }),
    ),
  );
}

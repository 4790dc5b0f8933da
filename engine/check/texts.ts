export type Severity = 'error' | 'warning' | 'info'

/**
 * All diagnostics: the code (its meaning never changes), the severity, and the English text. The interface translates
 * by code (src/i18n/<language>/problems.json).
 */
export const problemTexts = {
  'no-start': ['error', 'This flow has no trigger: add Start or another one.'],
  'trigger-never-begins': ['warning', '{{block}} never starts: {{other}} always comes first.'],
  'intent-never-heard': ['warning', 'The intent “{{name}}” is never used: it is not global, and no question lists it.'],
  'unreachable-group': ['warning', '“{{group}}” can’t be reached.'],
  'unreachable-block': ['warning', '{{block}} in “{{group}}” can’t be reached.'],
  'edge-from-nothing': ['warning', 'A connection starts at an output of {{block}} that no longer exists.'],
  'edge-to-nothing': ['error', 'The output {{port}} of {{block}} leads to something that was deleted.'],
  'edge-without-block': ['warning', 'A connection starts at a block that was deleted.'],
  'jump-to-nothing': ['error', '{{block}} leads to something that was deleted.'],
  'flow-gone': ['error', '{{block}} runs a flow that was deleted.'],
  'flow-group-gone': ['error', '{{block}} runs “{{flow}}” from a group that was deleted.'],
  'flow-variable-gone': ['warning', '{{block}} uses a variable that “{{flow}}” no longer has.'],
  'flow-too-deep': ['warning', '{{block}} runs its own flow: flows can run each other up to 10 levels deep.'],
  'option-unhandled': ['warning', 'The option {{port}} of {{block}} is not connected, but others are.'],
  'dead-end': ['warning', '{{port}} of {{block}} is not connected, but other outputs are.'],
  'branch-ends': ['info', 'The conversation ends at {{port}} of {{block}}, but continues at other outputs.'],
  'missing-field': ['error', '{{block}}: {{message}}.'],
  'invalid-value': ['error', '{{block}}: {{message}} ({{field}}).'],
  'unknown-kind': ['error', 'This version does not know the block “{{kind}}”: it is skipped.'],
  'placeholder-left': ['warning', '{{block}} was not imported: it is skipped.'],
  'no-mail-server': [
    'info',
    '{{block}}: no mail server is set up. Hand-offs stay in the project’s outbox, and nobody is notified.',
  ],
  'web-only': ['warning', '{{block}} is web only: visitors on {{channel}} don’t see it.'],
  'cards-apart': ['warning', '{{block}}: {{channel}} can’t show cards side by side. They come one below the other.'],
  'link-instead': ['warning', '{{block}}: visitors on {{channel}} get the address as a link instead.'],
  'fields-in-turn': ['warning', '{{block}}: {{channel}} has no forms. Its fields are asked one after the other.'],
  'buttons-as-list': [
    'warning',
    '{{block}} has {{count}} options: {{channel}} shows at most {{most}} buttons, so they become a list.',
  ],
  'buttons-as-text': [
    'warning',
    '{{block}} has {{count}} options: {{channel}} shows at most {{most}} buttons, so they become a text.',
  ],
  'list-split': [
    'warning',
    '{{block}} has {{count}} options: a list on {{channel}} has at most {{most}}, so there are several.',
  ],
  'label-cut': ['warning', '{{block}}: “{{label}}” is cut on {{channel}} after {{most}} characters.'],
  'caption-cut': ['warning', '{{block}}: the caption is cut on {{channel}} after {{most}} characters.'],
  'text-split': [
    'warning',
    '{{block}}: {{channel}} takes at most {{most}} characters at a time, so the text is sent in several messages.',
  ],
  'unknown-variable': ['error', '{{block}} uses a variable that does not exist.'],
  'secret-missing': ['error', '{{block}} uses the secret {{name}}, which this project does not have.'],
  'plain-secret': ['warning', '{{block}}: “{{name}}” holds a plain value. Save it as a secret.'],
  'secret-not-allowed': ['error', '{{block}} uses {{variable}}: secrets only work in HTTP requests.'],
  'variable-never-set': ['warning', '“{{variable}}” is used in {{block}}, but nothing sets it.'],
  'variable-may-be-unset': ['warning', '“{{variable}}” may be empty: {{reason}}'],
  'variable-unset-if-invalid': ['info', '“{{variable}}” may be empty: {{reason}}'],
  'endless-loop': ['error', 'Endless loop: {{path}}'],
  'idle-loop': ['warning', 'Loop without a question that changes nothing: {{path}}'],
  'loop-without-wait': ['info', 'Loop without a question, stopped after 1,000 blocks: {{path}}'],
  'intent-name-twice': ['warning', 'Two intents are named “{{name}}”.'],
  'phrase-twice': ['warning', '“{{phrase}}” is a phrase of both {{name}} and {{otherName}}.'],
  'phrases-alike': ['warning', '“{{phrase}}” of {{name}} means the same as “{{otherPhrase}}” of {{otherName}}.'],
  'translation-missing': ['warning', 'Texts without a translation into {{language}}: {{count}}.'],
  'translation-outdated': ['warning', 'Outdated translations into {{language}}: {{count}}.'],
  'translation-lost-variable': ['warning', '{{block}}: the translation into {{language}} leaves out “{{variable}}”.'],
} as const satisfies Record<string, readonly [Severity, string]>

export type ProblemCode = keyof typeof problemTexts

/**
 * Why a variable may be empty: the exit by which conversations skip the block that sets it, or a path that avoids all
 * such blocks.
 */
export const reasonTexts = {
  invalid: 'the visitor failed {{times}}',
  skip: 'the visitor skipped the question',
  'no-reply': 'the visitor did not reply',
  failure: '{{block}} failed',
  'not-found': '{{block}} found nothing',
  duplicate: '{{block}} found a duplicate',
  way: 'nothing sets it on the way {{path}}',
} as const

export type ReasonCode = keyof typeof reasonTexts

/** Labels of the one-click fixes. */
export const remedyTexts = {
  'delete-edge': 'Delete connection',
  'delete-group': 'Delete group',
  'delete-block': 'Delete block',
  'create-variable': 'Create variable',
  'create-secret': 'Create secret {{name}}',
  'save-secret': 'Save as secret',
  'remove-phrase': 'Remove phrase',
  'set-default': 'Reset',
  'connect-alike': 'Connect like the others',
  'open-translations': 'Open translations',
} as const

export type RemedyCode = keyof typeof remedyTexts

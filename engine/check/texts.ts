export type Severity = 'error' | 'warning' | 'info'

/**
 * Every diagnostic there is: its code, which never changes its meaning, how bad it is, and its text in English. The interface
 * translates by the code (src/i18n/<language>/problems.json).
 */
export const problemTexts = {
  'no-start': ['error', 'Nothing starts this flow: add a start or another trigger.'],
  'trigger-never-begins': ['warning', '{{block}} never begins: {{other}} always comes before it.'],
  'intent-never-heard': [
    'warning',
    'The intent “{{name}}” is never heard: it is not global, and no question names it.',
  ],
  'unreachable-group': ['warning', 'No conversation gets to “{{group}}”.'],
  'unreachable-block': ['warning', 'No conversation gets to {{block}} in “{{group}}”.'],
  'edge-from-nothing': ['warning', 'An edge leaves {{block}} by an exit that it no longer has.'],
  'edge-to-nothing': ['error', 'The exit {{port}} of {{block}} leads to something that is gone.'],
  'edge-without-block': ['warning', 'An edge leaves a block that is gone.'],
  'jump-to-nothing': ['error', '{{block}} leads to something that is gone.'],
  'flow-gone': ['error', '{{block}} enters a flow that is gone.'],
  'flow-group-gone': ['error', '{{block}} enters “{{flow}}” at a group that is gone.'],
  'flow-variable-gone': ['warning', '{{block}} names a variable that “{{flow}}” no longer has.'],
  'flow-too-deep': ['warning', '{{block}} enters the flow that it stands in: flows are entered at most 10 deep.'],
  'option-unhandled': ['warning', 'Nothing follows the option {{port}} of {{block}}, while others lead on.'],
  'dead-end': ['warning', 'Nothing follows {{port}} of {{block}}, while other exits lead on.'],
  'branch-ends': ['info', 'The conversation ends at {{port}} of {{block}}, while other exits lead on.'],
  'question-ends': ['info', 'The conversation ends after the answer to {{block}}.'],
  'natural-end': ['info', 'The conversation ends after {{block}} in “{{group}}”.'],
  'missing-field': ['error', '{{block}}: {{message}}.'],
  'invalid-value': ['error', '{{block}}: {{message}} ({{field}}).'],
  'unknown-kind': ['error', 'This version does not know the kind “{{kind}}”: the block is passed over.'],
  'placeholder-left': ['warning', '{{block}} was not imported: it is passed over.'],
  'web-only': ['warning', '{{block}} shows on the web alone: visitors on WhatsApp don’t see it.'],
  'unknown-variable': ['error', '{{block}} names a variable that does not exist.'],
  'secret-missing': ['error', '{{block}} sends the secret {{name}}, which this project does not have.'],
  'secret-not-allowed': ['error', '{{block}} names {{variable}}: only the calls of HTTP requests can hold a secret.'],
  'variable-never-set': ['warning', '“{{variable}}” is used in {{block}}, and nothing ever sets it.'],
  'variable-may-be-unset': ['warning', '“{{variable}}” may be unset when {{block}} uses it: {{path}}'],
  'variable-unset-if-invalid': [
    'info',
    '“{{variable}}” is unset in {{block}} when no valid answer comes in the end: {{path}}',
  ],
  'endless-loop': ['error', 'Goes round without ever waiting or leaving: {{path}}'],
  'idle-loop': ['warning', 'Goes round without waiting, and changes nothing on the way: {{path}}'],
  'loop-without-wait': ['info', 'Goes round without waiting; after 1,000 blocks it is stopped: {{path}}'],
  'intent-name-twice': ['warning', 'Two intents are called “{{name}}”.'],
  'phrase-twice': ['warning', '“{{phrase}}” is a phrase of {{name}} and of {{otherName}}.'],
  'phrases-alike': ['warning', '“{{phrase}}” of {{name}} says the same as “{{otherPhrase}}” of {{otherName}}.'],
} as const satisfies Record<string, readonly [Severity, string]>

export type ProblemCode = keyof typeof problemTexts

/** What a click puts right. */
export const remedyTexts = {
  'delete-edge': 'Delete the edge',
  'delete-group': 'Delete the group',
  'delete-block': 'Delete the block',
  'create-variable': 'Create the variable',
  'create-secret': 'Create the secret {{name}}',
  'remove-phrase': 'Remove the phrase',
  'set-default': 'Set to what it was at first',
  'connect-alike': 'Lead on where the others do',
} as const

export type RemedyCode = keyof typeof remedyTexts

import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputReads, inputWrites } from '../../engine/flow/inputFields'
import { render } from '../../engine/flow/steps'
import { parseEmail, ruleMessages } from '../../engine/values/rules'
import { emailInputFromTypebot } from './import'
import { emailInputDefaults, emailInputSchema } from './schema'

/** Asks for an email address and keeps it trimmed. */
export const emailInput = defineBlock({
  kind: 'email-input',
  category: 'input',
  title: 'Email input',
  help: 'Asks the visitor for an email address and checks it.',
  schema: emailInputSchema,
  defaults: emailInputDefaults,
  richTexts: ['prompt', 'retryText'],
  ports: (data) => [
    { id: 'next' },
    ...(data.required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
    { id: 'invalid', label: 'Invalid', fallback: 'next' },
  ],
  reads: inputReads,
  writes: inputWrites,
  importers: [emailInputFromTypebot],
  *run(data) {
    const placeholder = yield* render(data.placeholder)
    const request = { input: 'email', placeholder, required: data.required } as const
    const outcome = yield* askInput(data, request, (text) => parseEmail(text), ruleMessages.email)
    return outcome === 'valid' ? 'next' : outcome === 'skipped' ? 'skip' : 'invalid'
  },
})

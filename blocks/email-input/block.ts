import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputPorts, inputReads, inputWrites } from '../../engine/flow/inputFields'
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
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [emailInputFromTypebot],
  *run(data) {
    const placeholder = yield* render(data.placeholder)
    const request = { input: 'email', placeholder, required: data.required } as const
    return yield* askInput(data, request, (text) => parseEmail(text), ruleMessages.email)
  },
})

import { defineBlock } from '../../engine/flow/defineBlock'
import {
  addQuickReplies,
  askInput,
  inputParts,
  inputPorts,
  inputReads,
  inputTexts,
  inputWrites,
} from '../../engine/flow/inputFields'
import { parseEmail, ruleMessages } from '../../engine/values/rules'
import { emailInputFromTypebot } from './import'
import { emailInputDefaults, emailInputSchema } from './schema'

/** Asks for an email address and saves it trimmed. */
export const emailInput = defineBlock({
  kind: 'email-input',
  category: 'input',
  title: 'Email input',
  help: 'Asks for an email address and checks it.',
  schema: emailInputSchema,
  defaults: emailInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  migrations: [addQuickReplies],
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [emailInputFromTypebot],
  *run(data) {
    return yield* askInput(data, { input: 'email' }, (text) => parseEmail(text), ruleMessages.email)
  },
})

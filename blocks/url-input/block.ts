import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputParts, inputPorts, inputReads, inputTexts, inputWrites } from '../../engine/flow/inputFields'
import { visitorCaps } from '../../engine/values/caps'
import { parseUrl, ruleMessages } from '../../engine/values/rules'
import { urlInputFromTypebot } from './import'
import { urlInputDefaults, urlInputSchema } from './schema'

const parse = (text: string): string | null => parseUrl(text, { max: visitorCaps.url })

/** `example.com` is valid with `https://` before it. */
const withProtocol = (text: string): string | null =>
  /^\s*[\w-]+:/.test(text) ? null : parse(`https://${text.trim()}`)

/** Asks for a web address and saves it trimmed; offers to add a missing `https://`. */
export const urlInput = defineBlock({
  kind: 'url-input',
  category: 'input',
  title: 'URL input',
  help: 'Asks for a URL and checks it.',
  schema: urlInputSchema,
  defaults: urlInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [urlInputFromTypebot],
  *run(data) {
    return yield* askInput(data, { input: 'url' }, parse, ruleMessages.url, withProtocol)
  },
})

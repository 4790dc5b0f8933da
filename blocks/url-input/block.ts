import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputPorts, inputReads, inputWrites } from '../../engine/flow/inputFields'
import { visitorCaps } from '../../engine/values/caps'
import { parseUrl, ruleMessages } from '../../engine/values/rules'
import { urlInputFromTypebot } from './import'
import { urlInputDefaults, urlInputSchema } from './schema'

const parse = (text: string): string | null => parseUrl(text, { max: visitorCaps.url })

/** `example.com` is an address once `https://` stands before it. */
const withProtocol = (text: string): string | null =>
  /^\s*[\w-]+:/.test(text) ? null : parse(`https://${text.trim()}`)

/** Asks for an address on the web and keeps it trimmed; offers `https://` where only that is missing. */
export const urlInput = defineBlock({
  kind: 'url-input',
  category: 'input',
  title: 'URL input',
  help: 'Asks for a URL and checks it.',
  schema: urlInputSchema,
  defaults: urlInputDefaults,
  richTexts: ['prompt', 'retryText'],
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [urlInputFromTypebot],
  *run(data) {
    return yield* askInput(data, { input: 'url' }, parse, ruleMessages.url, withProtocol)
  },
})

import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputParts, inputPorts, inputReads, inputTexts, inputWrites } from '../../engine/flow/inputFields'
import { setVariable } from '../../engine/flow/steps'
import { caps } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'
import { locationInputDefaults, locationInputSchema } from './schema'

/** The last line of a place that was sent: `51.5074, -0.1278`. */
const POINT = /(?:^|\n)(-?\d{1,2}(?:\.\d{1,20})?), (-?\d{1,3}(?:\.\d{1,20})?)$/

/**
 * Asks where the visitor is, by a button that sends their place where the channel has one; elsewhere an address is
 * typed. Saves the place's name and address (or its coordinates, if it has neither), and its coordinates on their own.
 */
export const locationInput = defineBlock({
  kind: 'location-input',
  category: 'input',
  title: 'Location input',
  help: 'Asks for a place.',
  schema: locationInputSchema,
  defaults: locationInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  ports: inputPorts,
  reads: inputReads,
  writes: (data) => [...inputWrites(data), ...(data.savePointTo ? [data.savePointTo] : [])],
  assures: (data, portId) => (portId === 'next' ? inputWrites(data) : []),
  *run(data) {
    let point: string | null = null
    const place = (text: string): string | null => {
      const found = POINT.exec(text.trim())
      point = found ? `${found[1]}, ${found[2]}` : null
      return (found ? text.trim().slice(0, found.index).trim() || point : text.trim()) || null
    }
    const request = { input: 'text', wants: 'location', long: false, maxLength: caps.userMessage } as const
    const port = yield* askInput(data, request, place, ruleMessages.text)
    if (port === 'next' && data.savePointTo) yield* setVariable(data.savePointTo, point)
    return port
  },
})

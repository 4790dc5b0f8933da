import { defineBlock } from '../../engine/flow/defineBlock'
import { isOutsideWindow } from '../../engine/flow/outsideWindow'
import { whatsappWindowDefaults, whatsappWindowSchema } from './schema'

/**
 * Tells whether a person on WhatsApp can be told anything, or has not written for 24 hours, so that only templates can
 * be sent. On other channels it is always open.
 */
export const whatsappWindow = defineBlock({
  kind: 'whatsapp-window',
  category: 'logic',
  title: '24-hour window',
  help: 'Checks whether WhatsApp takes any message, or only templates.',
  schema: whatsappWindowSchema,
  defaults: whatsappWindowDefaults,
  ports: () => [
    { id: 'open', label: 'Within 24 hours' },
    { id: 'outside', label: 'Outside the window' },
  ],
  *run() {
    return (yield* isOutsideWindow()) ? 'outside' : 'open'
  },
})

import { defineBlock } from '../../engine/flow/defineBlock'
import { clip } from '../../engine/interop/fields'
import { placeholderFromDify, placeholderFromFlowise } from './fromNodes'
import { placeholderFromTypebot } from './import'
import { placeholderCaps, placeholderDefaults, placeholderSchema } from './schema'

/** Replaces a block that could not be imported; does nothing and goes on. */
export const placeholder = defineBlock({
  kind: 'placeholder',
  category: 'other',
  title: 'Not imported',
  help: 'A block of another product that Parley does not have. Its data is kept.',
  schema: placeholderSchema,
  defaults: placeholderDefaults,
  inPalette: false,
  importers: [placeholderFromTypebot, placeholderFromDify, placeholderFromFlowise],
  ports: () => [{ id: 'next' }],
  keeps: ({ product, type, reason, data }) => ({
    product: clip(product, placeholderCaps.product),
    type: clip(type, placeholderCaps.type),
    reason: clip(reason, placeholderCaps.reason),
    data,
  }),
  *run() {
    return 'next'
  },
})

import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { tooLong } from '../../engine/values/caps'

/** Ours: such a text is read at a glance before it is sent. */
export const MOST_TEXT = 200

/** What is known of an advertisement, and the field that names the variable to keep it in. */
export const adFields = {
  headline: 'saveHeadline',
  body: 'saveBody',
  url: 'saveUrl',
  id: 'saveId',
  type: 'saveType',
  clickId: 'saveClickId',
} as const

export const linkOpenedSchema = z.strictObject({
  /** the text that the link writes for the visitor, who sends it; empty: no link leads here */
  text: z.string().max(MOST_TEXT, tooLong(MOST_TEXT)),
  /** whether it also starts for who comes by an advertisement */
  ads: z.boolean(),
  saveHeadline: idSchema.nullable(),
  saveBody: idSchema.nullable(),
  saveUrl: idSchema.nullable(),
  saveId: idSchema.nullable(),
  saveType: idSchema.nullable(),
  saveClickId: idSchema.nullable(),
})
export type LinkOpenedData = z.infer<typeof linkOpenedSchema>

export const linkOpenedDefaults = (): LinkOpenedData => ({
  text: '',
  ads: false,
  ...{ saveHeadline: null, saveBody: null, saveUrl: null, saveId: null, saveType: null, saveClickId: null },
})

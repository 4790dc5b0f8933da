import { z } from 'zod'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { acceptPresetNames } from '../../engine/values/acceptedFile'
import { caps, counts } from '../../engine/values/caps'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

/** The largest file that a block may accept, in megabytes (decimal); ours. */
export const LARGEST = 100

export const fileUploadSchema = z.strictObject({
  prompt: richTextSchema(caps.text),
  saveTo: idSchema.nullable(),
  required: z.boolean(),
  /** accepted types */
  accept: z.enum(acceptPresetNames),
  /** per file, in megabytes */
  maxSize: z.number().min(1).max(LARGEST),
  maxCount: z.int().min(1).max(counts.files),
  ...listenFields,
})
export type FileUploadData = z.infer<typeof fileUploadSchema>
export const fileUploadDefaults = (): FileUploadData => ({
  prompt: plainRichText(''),
  saveTo: null,
  required: true,
  accept: 'any',
  maxSize: 10,
  maxCount: 1,
  ...listenDefaults(),
})

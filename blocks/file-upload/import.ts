import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { answerVariable, noteButton, noteOthers } from '../../engine/interop/settings'
import { type AcceptPreset, acceptPresets } from '../../engine/values/acceptedFile'
import { counts } from '../../engine/values/caps'
import { fileUploadDefaults, LARGEST } from './schema'

const SETTINGS = ['variableId', 'isRequired', 'isMultipleAllowed', 'labels', 'sizeLimit', 'allowedFileTypes']

/** A file input. Its size is in megabytes, too; its accepted types become the nearest of ours. */
export const fileUploadFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['file input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, SETTINGS, context)
    const labels = fieldsOf(options.labels)
    if (textOf(labels.button) !== 'Upload') noteButton(labels.button, context)
    const defaults = fileUploadDefaults()
    const size = numberOf(options.sizeLimit) ?? defaults.maxSize
    if (size > LARGEST) context.note(`Files of up to ${size} MB were taken; here at most ${LARGEST} MB are.`)
    const required = options.isRequired !== false
    return {
      data: {
        ...defaults,
        saveTo: answerVariable(options.variableId, context),
        required,
        accept: presetOf(fieldsOf(options.allowedFileTypes), context),
        maxSize: Math.min(Math.max(size, 1), LARGEST),
        maxCount: options.isMultipleAllowed === true ? counts.files : 1,
      },
      ports: { default: 'next' },
    }
  },
}

function presetOf({ isEnabled, types }: Fields, context: ImportContext): AcceptPreset {
  const named = listOf(types).map((type) => textOf(type).toLowerCase())
  if (isEnabled !== true || named.length === 0) return 'any'
  const isPdf = (type: string) => /^\.?pdf$|\/pdf$/.test(type)
  if (named.every((type) => type.startsWith('image/') || /^\.?(png|jpe?g|gif|webp|avif)$/.test(type))) return 'images'
  if (named.every(isPdf)) return 'pdf'
  const endings: readonly string[] = acceptPresets.documents
  if (named.every((type) => isPdf(type) || endings.includes(`.${type.replace(/^\./, '')}`))) return 'documents'
  context.note('It took files of certain types; here it takes any.')
  return 'any'
}

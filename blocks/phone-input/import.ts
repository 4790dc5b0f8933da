import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { isPhoneCountry } from '../../engine/values/phone'
import { phoneInputDefaults } from './schema'

/** A phone number input with its country. */
export const phoneInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['phone number input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, [...INPUT_SETTINGS, 'defaultCountryCode'], context)
    const code = textOf(options.defaultCountryCode).toUpperCase()
    const country = isPhoneCountry(code) ? code : null
    // the product's value for 'any country'
    if (code !== '' && code !== 'INTERNATIONAL' && !country) context.note(`The country '${code}' is not known.`)
    return {
      data: { ...phoneInputDefaults(), ...inputSettings(options, context), country },
      ports: { default: 'next' },
    }
  },
}

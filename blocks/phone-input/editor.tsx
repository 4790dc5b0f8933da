import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { callingCode, phoneCountries } from '../../engine/values/phone'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { PickField } from '../../src/text/form/PickField'
import { type PhoneInputData, phoneInputSchema } from './schema'

export default function PhoneInputEditor(props: BlockEditorProps<PhoneInputData>) {
  const countries = useCountries()
  return (
    <BlockForm editor={props} schema={phoneInputSchema}>
      <AnswerFields />
      <PickField name="country" data={countries} />
      <RetryFields />
    </BlockForm>
  )
}

/** All countries by their name in the interface's language, with calling codes. */
function useCountries() {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'region' })
    const named = phoneCountries.map((code) => ({
      value: code,
      label: `${names.of(code) ?? code} (+${callingCode(code)})`,
    }))
    return named.sort((a, b) => a.label.localeCompare(b.label, i18n.language))
  }, [i18n.language])
}

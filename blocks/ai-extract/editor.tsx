import { useTranslation } from 'react-i18next'
import { caps, counts } from '../../engine/values/caps'
import { extractTypes } from '../../engine/values/extractFields'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FormNote } from '../../src/text/form/FormNote'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField } from '../../src/text/form/valueFields'
import {
  type AiExtractData,
  aiExtractSchema,
  type ExtractedField,
  extractCaps,
  extractSources,
  newExtractedField,
} from './schema'

export default function AiExtractEditor(props: BlockEditorProps<AiExtractData>) {
  const { from, fields } = props.data
  return (
    <BlockForm editor={props} schema={aiExtractSchema}>
      <SelectField name="from" options={extractSources} />
      {from === 'conversation' ? (
        <NumberField name="messages" />
      ) : (
        <DynamicField name="text" max={caps.userMessage} multiline />
      )}
      <ListField name="fields" max={extractCaps.fields} create={newExtractedField} cards>
        {(path, index) => <OneField path={path} field={fields[index]} />}
      </ListField>
      <HowNote />
    </BlockForm>
  )
}

function OneField({ path, field }: { path: string; field: ExtractedField | undefined }) {
  const { t } = useTranslation('blocks')
  const { aiModel } = useFlowScope()
  if (!field) return null
  return (
    <>
      <LineField name={`${path}.name`} hiddenLabel />
      <SelectField name={`${path}.type`} options={extractTypes} hiddenLabel />
      {field.type === 'text' && aiModel === false && <FormNote>{t('ai-extract.needsModel')}</FormNote>}
      {field.type === 'choice' && (
        <ListField name={`${path}.choices`} max={counts.formChoices} create={(id) => ({ id: id(), label: '' })}>
          {(place) => <LineField name={`${place}.label`} hiddenLabel />}
        </ListField>
      )}
      {(aiModel !== false || field.description !== '') && <LineField name={`${path}.description`} hiddenLabel />}
      <VariableField name={`${path}.saveTo`} hiddenLabel />
    </>
  )
}

function HowNote() {
  const { t } = useTranslation('blocks')
  const { aiModel, screens } = useFlowScope()
  if (aiModel === null) return null
  return (
    <FormNote link={{ to: screens.ai, text: t('ai-extract.openSettings') }}>
      {aiModel === false ? t('ai-extract.rules') : t('ai-extract.model', { model: aiModel })}
    </FormNote>
  )
}

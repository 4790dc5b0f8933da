import { useTranslation } from 'react-i18next'
import { responseSources } from '../../engine/flow/conversation'
import { aiLanguages } from '../../engine/values/aiLanguages'
import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { FieldFrame } from '../../src/text/form/FieldFrame'
import { FormNote } from '../../src/text/form/FormNote'
import { useField } from '../../src/text/form/formContext'
import { PickField } from '../../src/text/form/PickField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { Select } from '../../src/ui/Select'
import { type AiAnswerData, aiAnswerSchema, INSTRUCTIONS_CAP } from './schema'

export default function AiAnswerEditor(props: BlockEditorProps<AiAnswerData>) {
  const { source, model, language, temperature, say, stream } = props.data
  return (
    <BlockForm editor={props} schema={aiAnswerSchema}>
      <SelectField name="source" options={responseSources} />
      <SourceNote source={source} model={model} />
      <DynamicField name="question" max={caps.userMessage} multiline />
      <DynamicField name="instructions" max={INSTRUCTIONS_CAP} multiline />
      <ToggleField name="say" />
      {source === 'knowledge' && say && <ToggleField name="suggest" />}
      <VariableField name="saveTo" />
      {source === 'knowledge' && <VariableField name="saveSources" />}
      <Details name="more" open={model !== null || language !== null || temperature !== null || !stream}>
        <ModelField />
        <PickField name="language" data={languages} />
        <NumberField name="temperature" optional />
        {say && <ToggleField name="stream" />}
      </Details>
    </BlockForm>
  )
}

const languages = aiLanguages.map((name) => ({ value: name, label: name }))

/** A choice of available models; none means the chatbot's. */
function ModelField() {
  const { t } = useTranslation('blocks')
  const { aiModels } = useFlowScope()
  const field = useField<number | null>('model')
  const all = (aiModels?.all ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isGone = aiModels !== null && field.value !== null && !all.some(({ value }) => value === String(field.value))
  const known =
    field.value === null || aiModels !== null ? all : [{ value: String(field.value), label: `${field.value}` }]
  const error = isGone ? t('ai-answer.modelGone') : field.error
  return (
    <FieldFrame field={{ ...field, error }}>
      <Select
        id={field.id}
        data={known}
        value={field.mixed || field.value === null || isGone ? null : String(field.value)}
        placeholder={aiModels ? t('ai-answer.asChatbot', { model: aiModels.chosen }) : field.placeholder}
        clearable={!field.readOnly}
        disabled={field.readOnly}
        error={error !== undefined}
        onChange={(value) => field.set(value === null ? null : Number(value))}
      />
    </FieldFrame>
  )
}

function SourceNote({ source, model }: Pick<AiAnswerData, 'source' | 'model'>) {
  const { t } = useTranslation('blocks')
  const { aiModel, aiModels, sources, screens } = useFlowScope()
  if (source === 'knowledge') {
    const missing = sources === false
    return (
      <FormNote warns={missing} link={{ to: screens.knowledge, text: t('ai-answer.openKnowledge') }}>
        {missing ? t('ai-answer.noSources') : t('ai-answer.knowledge')}
      </FormNote>
    )
  }
  // the block's model, otherwise the chatbot's; the built-in one only quotes sources
  const own = model === BUILT_IN ? undefined : aiModels?.all.find(({ id }) => id === model)?.name
  const speaks = own ?? aiModel
  if (speaks === null) return null
  return (
    <FormNote warns={speaks === false} link={{ to: screens.ai, text: t('ai-answer.openSettings') }}>
      {speaks === false ? t('ai-answer.noModel') : t('ai-answer.model', { model: speaks })}
    </FormNote>
  )
}

/** The model that only quotes sources. */
const BUILT_IN = 1

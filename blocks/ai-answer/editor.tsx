import { useTranslation } from 'react-i18next'
import { aiLanguages } from '../../engine/values/aiLanguages'
import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { FormNote } from '../../src/text/form/FormNote'
import { PickField } from '../../src/text/form/PickField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { type AiAnswerData, aiAnswerSchema, answerSources, INSTRUCTIONS_CAP } from './schema'

export default function AiAnswerEditor(props: BlockEditorProps<AiAnswerData>) {
  const { source, language, temperature } = props.data
  return (
    <BlockForm editor={props} schema={aiAnswerSchema}>
      <SelectField name="source" options={answerSources} />
      <SourceNote source={source} />
      {source === 'model' && (
        <>
          <DynamicField name="question" max={caps.userMessage} multiline />
          <DynamicField name="instructions" max={INSTRUCTIONS_CAP} multiline />
          <ToggleField name="say" />
          <VariableField name="saveTo" />
          <Details name="more" open={language !== 'Auto' || temperature !== 0}>
            <PickField name="language" data={languages} needed />
            <NumberField name="temperature" />
          </Details>
        </>
      )}
    </BlockForm>
  )
}

const languages = aiLanguages.map((name) => ({ value: name, label: name }))

function SourceNote({ source }: Pick<AiAnswerData, 'source'>) {
  const { t } = useTranslation('blocks')
  const { aiModel } = useFlowScope()
  if (source === 'knowledge') return <FormNote>{t('ai-answer.noKnowledge')}</FormNote>
  if (aiModel === false) return <FormNote>{t('ai-answer.noModel')}</FormNote>
  return aiModel === null ? null : <FormNote>{t('ai-answer.model', { model: aiModel })}</FormNote>
}

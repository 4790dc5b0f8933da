import { useTranslation } from 'react-i18next'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { type FlowChoice, useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FormNote } from '../../src/text/form/FormNote'
import { GroupField } from '../../src/text/form/GroupField'
import { ListField } from '../../src/text/form/ListField'
import { PickField } from '../../src/text/form/PickField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField, ToggleField } from '../../src/text/form/valueFields'
import { type GoToData, goToSchema, MAX_MAPPINGS } from './schema'

export default function GoToEditor(props: BlockEditorProps<GoToData>) {
  const { t } = useTranslation('blocks')
  return (
    <BlockForm editor={props} schema={goToSchema}>
      <SelectField name="to" options={['group', 'flow', 'back']} />
      {props.data.to === 'flow' && <FlowFields flowId={props.data.flowId} />}
      {props.data.to === 'group' && (
        <>
          <GroupField name="target" />
          <ToggleField name="comesBack" />
        </>
      )}
      {props.data.to === 'back' && <FormNote>{t('go-to.backNote')}</FormNote>}
    </BlockForm>
  )
}

function FlowFields({ flowId }: { flowId: string | null }) {
  const { t } = useTranslation('blocks')
  const { flows } = useFlowScope()
  const flow = flows.find(({ id }) => id === flowId)
  if (flows.length === 0 && flowId === null) return <FormNote>{t('go-to.noFlows')}</FormNote>
  return (
    <>
      <PickField
        name="flowId"
        data={flows.map(({ id, title }) => ({ value: id, label: title || t('go-to.untitledFlow') }))}
        gone={t('go-to.flowGone')}
        empty={t('go-to.nothingFound')}
      />
      {flow && <MappingFields flow={flow} />}
    </>
  )
}

function MappingFields({ flow }: { flow: FlowChoice }) {
  const { t } = useTranslation('blocks')
  const variables = flow.variables.map(({ id, name }) => ({ value: id, label: name }))
  const variable = { data: variables, hiddenLabel: true, gone: t('go-to.variableGone'), empty: t('go-to.noVariables') }
  return (
    <>
      <PickField
        name="flowGroupId"
        data={flow.groups.map(({ id, title }) => ({ value: id, label: title || t('go-to.face.untitled') }))}
        gone={t('go-to.groupGone')}
        empty={t('go-to.nothingFound')}
      />
      <ListField
        name="inputs"
        max={MAX_MAPPINGS}
        create={(id) => ({ id: id(), toVariable: null, value: staticValue('') })}
        cards
      >
        {(path) => (
          <>
            <PickField name={`${path}.toVariable`} {...variable} />
            <DynamicField name={`${path}.value`} max={caps.setVariable} hiddenLabel />
          </>
        )}
      </ListField>
      <ListField
        name="outputs"
        max={MAX_MAPPINGS}
        create={(id) => ({ id: id(), fromVariable: null, saveTo: null })}
        cards
      >
        {(path) => (
          <>
            <PickField name={`${path}.fromVariable`} {...variable} />
            <VariableField name={`${path}.saveTo`} hiddenLabel />
          </>
        )}
      </ListField>
    </>
  )
}

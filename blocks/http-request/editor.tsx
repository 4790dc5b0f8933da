import { httpMethods } from '../../engine/effects/http'
import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { SecretField } from '../../src/text/form/SecretField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { SampleAnswer } from './SampleAnswer'
import {
  authTypes,
  bodyTypes,
  type HttpRequestData,
  httpCaps,
  httpRequestSchema,
  newMapping,
  newPair,
  sources,
} from './schema'
import { TestRequest } from './TestRequest'

export default function HttpRequestEditor(props: BlockEditorProps<HttpRequestData>) {
  const { data } = props
  const hasBody = data.method !== 'GET' && data.method !== 'HEAD'
  const writes = hasBody && data.method !== 'OPTIONS'
  return (
    <BlockForm editor={props} schema={httpRequestSchema}>
      <SelectField name="method" options={httpMethods} preset />
      <DynamicField name="url" max={caps.url} secrets />
      <Details name="query" open={data.query.length > 0}>
        <PairsField name="query" />
      </Details>
      <Details name="headers" open={data.headers.length > 0}>
        <PairsField name="headers" />
      </Details>
      <SelectField name="auth.type" options={authTypes} />
      <AuthFields type={data.auth.type} />
      {hasBody && <SelectField name="bodyType" options={bodyTypes} />}
      {hasBody && <BodyFields type={data.bodyType} />}
      <TestRequest data={data} setData={props.setData} readOnly={props.readOnly} />
      <ListField name="mapping" max={httpCaps.rows} create={newMapping} cards>
        {(path, index) => <MappingFields path={path} from={data.mapping[index]?.from} />}
      </ListField>
      {writes && (
        <Details name="sample" open={Boolean(data.sample)}>
          <SampleAnswer />
        </Details>
      )}
      <Details name="more" open={false}>
        <NumberField name="timeout" />
        <NumberField name="retries" />
        <ToggleField name="followRedirects" />
      </Details>
    </BlockForm>
  )
}

function PairsField({ name }: { name: 'query' | 'headers' | 'fields' }) {
  return (
    <ListField name={name} max={httpCaps.rows} create={newPair} cards hiddenLabel>
      {(path) => (
        <>
          <DynamicField name={`${path}.name`} max={httpCaps.name} hiddenLabel />
          <DynamicField name={`${path}.value`} max={caps.setVariable} hiddenLabel secrets />
        </>
      )}
    </ListField>
  )
}

function AuthFields({ type }: { type: HttpRequestData['auth']['type'] }) {
  switch (type) {
    case 'basic':
      return (
        <>
          <DynamicField name="auth.username" max={caps.setVariable} secrets />
          <SecretField name="auth.password" max={caps.setVariable} like="API_PASSWORD" />
        </>
      )
    case 'bearer':
      return <SecretField name="auth.token" max={caps.setVariable} like="API_TOKEN" />
    case 'header':
      return (
        <>
          <DynamicField name="auth.name" max={httpCaps.name} />
          <SecretField name="auth.value" max={caps.setVariable} like="API_KEY" />
        </>
      )
    default:
      return null
  }
}

function BodyFields({ type }: { type: HttpRequestData['bodyType'] }) {
  if (type === 'none') return null
  if (type === 'json' || type === 'raw') return <DynamicField name="body" max={httpCaps.body} multiline secrets />
  return <PairsField name="fields" />
}

function MappingFields({ path, from }: { path: string; from: HttpRequestData['mapping'][number]['from'] | undefined }) {
  return (
    <>
      <SelectField name={`${path}.from`} options={sources} hiddenLabel />
      {(from === 'body' || from === 'header') && (
        <LineField
          name={`${path}.path`}
          hiddenLabel
          placeholder={from === 'body' ? '$.data[0].name' : 'content-type'}
        />
      )}
      <VariableField name={`${path}.variableId`} hiddenLabel needed />
    </>
  )
}

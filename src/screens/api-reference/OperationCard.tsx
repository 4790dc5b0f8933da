import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './apiReference.module.css'
import { FieldList } from './FieldList'
import type { ShownOperation } from './ShownOperation'
import { fieldsOf, typeOf } from './schemas'
import { TryIt } from './TryIt'
import { Words } from './Words'

/** An operation: a line that opens to its fields, answers, and a form to try it. */
export function OperationCard(props: ShownOperation) {
  const { method, path, operation } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <article className={styles.operation}>
      <h3>
        <button
          type="button"
          className={styles.line}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={16} className={styles.arrow} aria-hidden />
          <span className={styles.method} data-method={method}>
            {method.toUpperCase()}
          </span>
          <code className={styles.path}>{path}</code>
          <span className={styles.summary}>{operation.summary}</span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Details {...props} />}
      </div>
    </article>
  )
}

function Details(props: ShownOperation) {
  const { t } = useTranslation('apiReference')
  const { parameters = [], requestBody, responses, description } = props.operation
  const body = requestBody?.content?.['application/json']?.schema
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const answer = done?.[1].content?.['application/json']?.schema
  return (
    <div className={styles.details}>
      <div className={styles.words}>
        <Words text={description} />
        {parameters.length > 0 && (
          <FieldList
            title={t('parameters')}
            fields={parameters.map(({ name, schema, description: about, required = false }) => ({
              ...{ name, type: typeOf(schema), required, description: about, fields: [] },
            }))}
          />
        )}
        {body && <FieldList title={t('body')} fields={fieldsOf(body)} />}
        {done && <FieldList title={t('answer', { status: done[0] })} fields={answer ? fieldsOf(answer) : []} />}
        <h4>{t('errors')}</h4>
        <ul className={styles.errors}>
          {Object.entries(responses)
            .filter(([status]) => !status.startsWith('2'))
            .map(([status, response]) => (
              <li key={status}>
                <strong>{status}</strong>
                <Words text={response.description} />
              </li>
            ))}
        </ul>
      </div>
      <TryIt {...props} />
    </div>
  )
}

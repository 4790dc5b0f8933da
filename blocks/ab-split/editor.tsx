import { Scale } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField } from '../../src/text/form/valueFields'
import { Button } from '../../src/ui/Button'
import styles from './editor.module.css'
import { type AbSplitData, abSplitSchema, evenly, nameOf, PATHS, type SplitPath, sumOf } from './schema'

export default function AbSplitEditor(props: BlockEditorProps<AbSplitData>) {
  return (
    <BlockForm editor={props} schema={abSplitSchema}>
      <div>
        <ListField name="paths" min={PATHS.min} max={PATHS.max} create={(id) => ({ id: id(), label: '', percent: 0 })}>
          {(path, index) => (
            <div className={styles.path}>
              <LineField name={`${path}.label`} hiddenLabel placeholder={nameOf({ ...blank, label: '' }, index)} />
              <NumberField name={`${path}.percent`} hiddenLabel unit="%" />
            </div>
          )}
        </ListField>
        <Sum {...props} />
      </div>
      <VariableField name="saveTo" />
    </BlockForm>
  )
}

const blank: SplitPath = { id: '', label: '', percent: 0 }

/** The sum of the percentages, and a button that distributes them evenly. */
function Sum({ data, setData, readOnly }: BlockEditorProps<AbSplitData>) {
  const { t } = useTranslation('blocks')
  const sum = sumOf(data.paths)
  const even = evenly(data.paths.length)
  const isEven = data.paths.every(({ percent }, index) => percent === even[index])
  const distribute = () =>
    setData({ paths: data.paths.map((path, index) => ({ ...path, percent: even[index] ?? path.percent })) })
  return (
    <div className={styles.sum}>
      <span className={sum === 100 ? styles.right : styles.wrong} role={sum === 100 ? undefined : 'alert'}>
        {t(sum === 100 ? 'ab-split.sum.right' : 'ab-split.sum.wrong', { sum })}
      </span>
      {!readOnly && !isEven && (
        <Button design="ghost" size="s" icon={<Scale size={14} />} onClick={distribute}>
          {t('ab-split.distribute')}
        </Button>
      )}
    </div>
  )
}

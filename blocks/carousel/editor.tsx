import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { ListField } from '../../src/text/form/ListField'
import { MediaField } from '../../src/text/form/MediaField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { ToggleField } from '../../src/text/form/valueFields'
import { answers, type CarouselData, carouselSchema, isEmptyValue, most, newButton, newCard } from './schema'

export default function CarouselEditor(props: BlockEditorProps<CarouselData>) {
  const { items, typing } = props.data
  return (
    <BlockForm editor={props} schema={carouselSchema}>
      <ListField name="items" max={most.cards} min={1} create={newCard} cards>
        {(path, index) => (
          <>
            <DynamicField name={`${path}.title`} max={caps.cardTitle} />
            <DynamicField name={`${path}.description`} max={caps.cardDescription} multiline />
            <MediaField name={`${path}.image`} medium="image" max={caps.url} inList />
            {!isEmptyValue(items[index]?.image) && <DynamicField name={`${path}.imageLink`} max={caps.url} />}
            <ListField name={`${path}.buttons`} max={most.buttons} create={newButton}>
              {(place, at) => (
                <>
                  <DynamicField name={`${place}.label`} max={caps.label} hiddenLabel />
                  <Details name="items-buttons-more" open={!isEmptyValue(items[index]?.buttons[at]?.url)}>
                    <DynamicField name={`${place}.url`} max={caps.url} />
                  </Details>
                </>
              )}
            </ListField>
          </>
        )}
      </ListField>
      <ToggleField name="repeat" />
      {items.some(({ buttons }) => buttons.some(answers)) && (
        <>
          <VariableField name="saveTo" />
          <VariableField name="saveCardTo" />
          <ToggleField name="typing" />
          {typing && <DynamicField name="placeholder" max={caps.placeholder} />}
          <ListenFieldset />
        </>
      )}
    </BlockForm>
  )
}

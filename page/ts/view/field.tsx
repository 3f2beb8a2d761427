// One field of a form, and those inside it.
//
// Owns: how each kind of field looks and what it hands up. Must not know: what becomes of values.

import { useId, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { isObject, same, text, type Json, type JsonObject } from '../json';
import { branchOf, shape, typeName, type Option, type Shape } from '../schema/shape';
import { initial } from '../schema/value';
import { JsonField } from './json-field';

/** What every field is given. */
export interface FieldProps {
  name: string;
  schema: Json | undefined;
  root: JsonObject;
  required: boolean;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
  /** Where it is, as keys of `problems` say it. */
  path: string;
  problems: Map<string, string>;
  /** Values that may be meant by what was typed. */
  suggest?: (typed: string) => Promise<string[]>;
}

export function Field(props: FieldProps) {
  const of = shape(props.schema, props.root);
  switch (of.kind) {
    case 'object':
      return <Group {...props} of={of} />;
    case 'list':
      return <List {...props} of={of} />;
    case 'branches':
      return <Branches {...props} of={of} />;
    case 'several':
      return <Several {...props} of={of} options={of.options} />;
    case 'json':
      return <Labelled {...props} of={of}>{(ids) => <JsonField ids={ids} value={props.value} onChange={props.onChange} rows={3} />}</Labelled>;
    default:
      return <Labelled {...props} of={of}>{(ids) => <Plain {...props} of={of} ids={ids} />}</Labelled>;
  }
}

/** What ties a field to its label and to the words about it. */
export interface Ids {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
}

type Of<K extends Shape['kind']> = FieldProps & { of: Extract<Shape, { kind: K }> };

function Labelled(props: FieldProps & { of: Shape; children: (ids: Ids) => ComponentChildren }) {
  const { name, of, required, problems, path } = props;
  const id = useId();
  const problem = problems.get(path);
  const about = text(of.schema, 'description');
  const described = [about && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label for={id}>
        <span class="field-name">{text(of.schema, 'title') ?? name}</span>
        <Marks of={of} required={required} />
      </label>
      {about && <p class="about" id={`${id}-about`}>{about}</p>}
      {props.children({ id, 'aria-describedby': described, 'aria-invalid': problem ? true : undefined, 'aria-required': required || undefined })}
      {problem && <p class="problem" id={`${id}-problem`}>{text(of.schema, 'title') ?? name} {problem}</p>}
    </div>
  );
}

function Marks({ of, required }: { of: Shape; required: boolean }) {
  return (
    <span class="marks">
      {typeName(of)}
      {required && <span class="required"> required</span>}
    </span>
  );
}

function Plain({ of, ids, value, onChange, required, suggest }: FieldProps & { of: Shape; ids: Ids }) {
  switch (of.kind) {
    case 'number':
      return <NumberInput ids={ids} value={value} onChange={onChange} schema={of.schema} whole={of.whole} />;
    case 'flag':
      return required || of.schema.default !== undefined ? (
        <input type="checkbox" {...ids} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      ) : (
        <Select ids={ids} value={value} onChange={onChange} options={[{ value: true, label: 'true' }, { value: false, label: 'false' }]} />
      );
    case 'choice':
      return <Select ids={ids} value={value} onChange={onChange} options={of.options} />;
    case 'nothing':
      return <input {...ids} value="null" disabled />;
    default:
      return <TextInput ids={ids} value={value} onChange={onChange} of={of} suggest={suggest} />;
  }
}

const INPUTS = { email: 'email', uri: 'url', date: 'date', password: 'password', time: 'time' } as const;

function TextInput({ ids, value, onChange, of, suggest }: { ids: Ids; of: Shape } & Pick<FieldProps, 'value' | 'onChange' | 'suggest'>) {
  const [options, setOptions] = useState<string[]>([]);
  const asked = useRef(0);
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const look = (typed: string) => {
    const turn = ++asked.current;
    // Answers may overtake each other: what is shown belongs to what was typed last.
    void suggest?.(typed).then((found) => turn === asked.current && setOptions(found));
  };
  const change = (typed: string) => {
    // An empty text is sent as JSON only: a field that is empty is one that is not filled in.
    onChange(typed === '' ? undefined : typed);
    look(typed);
  };
  const format = text(of.schema, 'format');
  const long = shown.includes('\n') || shown.length > 80;
  const rows = Math.min(Math.max(shown.split('\n').length + 1, 3), 12);
  if (long && !format) return <textarea {...ids} rows={rows} value={shown} onInput={(event) => change(event.currentTarget.value)} />;
  return (
    <>
      <input
        {...ids}
        type={(INPUTS[format as keyof typeof INPUTS] ?? 'text') as 'text'}
        autocomplete="off"
        spellcheck={false}
        value={shown}
        list={suggest && `${ids.id}-list`}
        placeholder={example(of.schema)}
        onFocus={() => look(shown)}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {suggest && <datalist id={`${ids.id}-list`}>{options.map((option) => <option key={option} value={option} />)}</datalist>}
    </>
  );
}

function example(schema: JsonObject): string | undefined {
  const [first] = Array.isArray(schema.examples) ? schema.examples : [];
  return first === undefined ? undefined : `for example ${typeof first === 'string' ? first : JSON.stringify(first)}`;
}

function NumberInput({ ids, value, onChange, schema, whole }: { ids: Ids; value: Json | undefined; onChange(value: Json | undefined): void; schema: JsonObject; whole: boolean }) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value));
  // A value that comes from elsewhere replaces what was typed.
  const shown = value === read(typed) ? typed : value === undefined ? '' : String(value);
  return (
    <input
      {...ids}
      inputMode={whole ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={shown}
      placeholder={example(schema)}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(read(event.currentTarget.value));
      }}
    />
  );
}

/** A number; what is none stays as it was typed, so that it can be said. */
function read(typed: string): Json | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

function Select({ ids, value, onChange, options }: { ids: Ids; value: Json | undefined; onChange(value: Json | undefined): void; options: Option[] }) {
  const index = value === undefined ? -1 : options.findIndex((option) => same(option.value, value));
  return (
    <select {...ids} value={String(index)} onChange={(event) => onChange(options[Number(event.currentTarget.value)]?.value)}>
      <option value="-1">not set</option>
      {options.map((option, at) => <option key={at} value={String(at)}>{option.label}</option>)}
    </select>
  );
}

/** A box around fields that belong together. */
function Box(props: FieldProps & { of: Shape; action?: ComponentChildren; children: ComponentChildren }) {
  const { name, of, required, problems, path } = props;
  const about = text(of.schema, 'description');
  const problem = problems.get(path);
  return (
    <fieldset class="group">
      <legend>
        <span class="field-name">{text(of.schema, 'title') ?? name}</span>
        <Marks of={of} required={required} />
      </legend>
      {about && <p class="about">{about}</p>}
      {props.children}
      {props.action}
      {problem && <p class="problem">{text(of.schema, 'title') ?? name} {problem}</p>}
    </fieldset>
  );
}

function Group(props: Of<'object'>) {
  const { of, value, onChange, root, required } = props;
  if (value === undefined && !required) {
    const add = () => onChange(initial(of.schema, root, true) ?? {});
    return <Box {...props}><button type="button" class="small" onClick={add}>Add {props.name}</button></Box>;
  }
  const leave = !required && <button type="button" class="small" onClick={() => onChange(undefined)}>Leave out {props.name}</button>;
  return <Box {...props} action={leave}><Members {...props} /></Box>;
}

/** The fields of an object, without a box. What can have one value only is not asked for. */
export function Members({ of, value, onChange, root, path, problems }: Of<'object'>) {
  const held = isObject(value) ? value : {};
  const set = (name: string, next: Json | undefined) => {
    const { [name]: _, ...others } = held;
    // In the order of the schema, as one reads it.
    const all: JsonObject = next === undefined ? others : { ...others, [name]: next };
    const order = of.fields.map((field) => field.name);
    onChange(Object.fromEntries(Object.entries(all).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))));
  };
  return (
    <>
      {of.fields.filter(({ schema }) => shape(schema, root).schema.const === undefined).map(({ name, schema, required }) => (
        <Field key={name} name={name} schema={schema} root={root} required={required} value={held[name]} onChange={(next) => set(name, next)} path={`${path}/${name}`} problems={problems} />
      ))}
    </>
  );
}

function List(props: Of<'list'>) {
  const { of, value, onChange, root, name, path, problems, required } = props;
  const held = Array.isArray(value) ? value : [];
  const change = (next: Json[]) => onChange(next.length === 0 && !required ? undefined : next);
  const add = () => change([...held, initial(of.items, root, true) ?? null]);
  return (
    <Box {...props} action={<button type="button" class="small" onClick={add}>Add to {name}</button>}>
      {held.map((one, index) => (
        <div class="entry" key={index}>
          <Field
            name={`${index + 1}`}
            schema={of.items}
            root={root}
            required
            value={one ?? undefined}
            onChange={(next) => change(held.with(index, next ?? null))}
            path={`${path}/${index}`}
            problems={problems}
          />
          <button type="button" class="small quiet" aria-label={`Remove entry ${index + 1} of ${name}`} onClick={() => change(held.toSpliced(index, 1))}>Remove</button>
        </div>
      ))}
    </Box>
  );
}

function Several(props: Of<'several'> & { options: Option[] }) {
  const { options, value, onChange, required } = props;
  const held = Array.isArray(value) ? value : [];
  const toggle = (option: Option, on: boolean) => {
    const next = options.filter((one) => (same(one.value, option.value) ? on : held.some((had) => same(had, one.value)))).map((one) => one.value);
    onChange(next.length === 0 && !required ? undefined : next);
  };
  return (
    <Box {...props}>
      {options.map((option) => (
        <label class="check" key={option.label}>
          <input type="checkbox" checked={held.some((had) => same(had, option.value))} onChange={(event) => toggle(option, event.currentTarget.checked)} />
          {option.label}
        </label>
      ))}
    </Box>
  );
}

function Branches(props: Of<'branches'>) {
  const { of, value, onChange, root, name, path, problems, required } = props;
  const [chosen, setChosen] = useState(value === undefined && !required ? -1 : branchOf(value, of.branches, root));
  const branch = of.branches[chosen];
  const inner = branch && shape(branch.schema, root);
  const choose = (index: number) => {
    setChosen(index);
    onChange(initial(of.branches[index]?.schema, root, true));
  };
  return (
    <Box {...props}>
      <label class="check">
        <span>{name} is</span>
        <select value={String(chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {!required && <option value="-1">not set</option>}
          {of.branches.map((one, index) => <option key={index} value={String(index)}>{one.label}</option>)}
        </select>
      </label>
      {inner?.kind === 'object' && inner.schema.description !== undefined && <p class="about">{text(inner.schema, 'description')}</p>}
      {inner?.kind === 'object' ? (
        <Members {...props} key={chosen} of={inner} required />
      ) : (
        branch && <Field key={chosen} name={branch.label} schema={branch.schema} root={root} required value={value} onChange={onChange} path={path} problems={problems} />
      )}
    </Box>
  );
}

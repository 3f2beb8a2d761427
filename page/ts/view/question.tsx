// Questions of the server, one after the other, each as a dialog.
//
// Owns: forms, visits of pages, answers in a model's place. Must not know: which call they belong to.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Question } from '../client/channel';
import { list, object, text, type JsonObject } from '../json';
import { answer } from '../state/actions';
import { known, questions } from '../state/store';
import { Form } from './form';
import { Block } from './values';

export function Questions() {
  const question = questions.value[0];
  return question ? <Dialog key={question.id} question={question} /> : null;
}

/** A dialog that Escape cancels. */
function Dialog({ question }: { question: Question }) {
  const place = useRef<HTMLDialogElement>(null);
  // Open as soon as it is there: what somebody types at once belongs to it.
  useLayoutEffect(() => place.current?.showModal(), []);
  const more = questions.value.length - 1;
  const sampling = question.method === 'sampling/createMessage';
  const cancel = () => answer(question, sampling ? null : { action: 'cancel' });
  return (
    <dialog
      ref={place}
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault();
        cancel();
      }}
    >
      <p class="quiet">{known.value?.serverInfo?.name ?? 'The server'} asks{more > 0 && `, and ${more} more`}</p>
      {sampling ? <Sampling question={question} /> : text(question.params, 'mode') === 'url' ? <Visit question={question} /> : <Elicitation question={question} />}
    </dialog>
  );
}

function Said({ children }: { children: ComponentChildren }) {
  return <h2 id="question">{children}</h2>;
}

function Elicitation({ question }: { question: Question }) {
  return (
    <>
      <Said>{text(question.params, 'message')}</Said>
      <p class="quiet">What you enter is sent to the server.</p>
      <Form schema={object(question.params, 'requestedSchema') ?? {}} send="Send" onSend={(content) => answer(question, { action: 'accept', content })}>
        <Refusals question={question} />
      </Form>
    </>
  );
}

function Refusals({ question }: { question: Question }) {
  return (
    <>
      <button type="button" onClick={() => answer(question, { action: 'decline' })}>Decline</button>
      <button type="button" class="quiet" onClick={() => answer(question, { action: 'cancel' })}>Cancel</button>
    </>
  );
}

function Visit({ question }: { question: Question }) {
  const { params } = question;
  const url = text(params, 'url') ?? '';
  return (
    <>
      <Said>{text(params, 'message')}</Said>
      <p>It wants you to visit a page of <b>{text(params, 'origin')}</b>:</p>
      <p><code class="url">{url}</code></p>
      {params.punycode === true && <p class="problem">Its name has letters that may imitate another name.</p>}
      {params.secure !== true && <p class="problem">It is not encrypted.</p>}
      <div class="buttons">
        <a class="button main" href={url} target="_blank" rel="noopener noreferrer" onClick={() => answer(question, { action: 'accept' })}>Open the page</a>
        <button type="button" onClick={() => answer(question, { action: 'accept' })}>I open it myself</button>
        <Refusals question={question} />
      </div>
    </>
  );
}

function Sampling({ question }: { question: Question }) {
  const [words, setWords] = useState('');
  const [model, setModel] = useState('a person');
  const { params } = question;
  const system = text(params, 'systemPrompt');
  const send = () => {
    const result: JsonObject = { role: 'assistant', model, content: { type: 'text', text: words }, stopReason: 'endTurn' };
    answer(question, result);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Said>It asks a model, and you answer in its place</Said>
      {system && <p class="about">{system}</p>}
      {(list(params, 'messages') ?? []).map((message, index) => (
        <div class="message" key={index}>
          <span class="chip">{text(message, 'role')}</span>
          {blocks(message as JsonObject).map((block, at) => <Block key={at} block={block} />)}
        </div>
      ))}
      {typeof params.maxTokens === 'number' && <p class="quiet">At most {params.maxTokens} tokens.</p>}
      <div class="field">
        <label for="answer"><span class="field-name">Answer</span></label>
        <textarea id="answer" rows={4} required value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </div>
      <div class="field">
        <label for="model"><span class="field-name">Model</span></label>
        <input id="model" value={model} onInput={(event) => setModel(event.currentTarget.value)} />
      </div>
      <div class="buttons">
        <button type="submit" class="main">Answer</button>
        <button type="button" onClick={() => answer(question, null)}>Refuse</button>
      </div>
    </form>
  );
}

function blocks(message: JsonObject) {
  const { content } = message;
  return Array.isArray(content) ? content : [content ?? null];
}

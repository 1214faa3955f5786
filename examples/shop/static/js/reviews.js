// What customers say about a product, and a form to say something oneself.
import {askGraph} from './api.js';
import {element} from './element.js';
import {toast} from './toast.js';

const PRODUCT_REVIEWS = `query ProductReviews($product: Int!) {
  product(id: $product) { id reviews { totalCount average nodes { id author stars text } } }
}`;
const ADD_REVIEW = `mutation AddReview($product: Int!, $stars: Int!, $text: String!) {
  addReview(product: $product, stars: $stars, text: $text) { review { id author stars text } }
}`;

function stars(count) {
  return element(
    'span',
    {class: 'stars', role: 'img', 'aria-label': `${count} of 5 stars`},
    '★'.repeat(count) + '☆'.repeat(5 - count),
  );
}

function shownReview(review) {
  return element(
    'li',
    {class: 'review'},
    element('p', {class: 'review-head'}, stars(review.stars), ' ', element('strong', {}, review.author)),
    element('p', {}, review.text),
  );
}

function reviewForm(add) {
  const options = [5, 4, 3, 2, 1].map(count => element('option', {value: count}, `${count} stars`));
  const submit = event => {
    event.preventDefault();
    add(Number(event.target.stars.value), event.target.text.value);
  };
  return element(
    'form',
    {class: 'form review-form', onsubmit: submit},
    element('label', {for: 'review-stars'}, 'Your rating'),
    element('select', {id: 'review-stars', name: 'stars'}, ...options),
    element('label', {for: 'review-text'}, 'Your review'),
    element('textarea', {id: 'review-text', name: 'text', rows: 2, required: true, maxlength: 500}),
    element('button', {class: 'button', type: 'submit'}, 'Send review'),
  );
}

export async function showReviews(section, product) {
  const data = await askGraph('ProductReviews', PRODUCT_REVIEWS, {product});
  const {totalCount, average, nodes} = data.product.reviews;
  const add = async (count, text) => {
    await askGraph('AddReview', ADD_REVIEW, {product, stars: count, text});
    toast('Thank you for your review');
    await showReviews(section, product);
  };
  section.replaceChildren(
    element('h2', {}, totalCount ? `Reviews (${totalCount}), ${average} of 5` : 'No reviews yet'),
    element('ul', {class: 'review-list'}, ...nodes.map(shownReview)),
    reviewForm(add),
  );
}
